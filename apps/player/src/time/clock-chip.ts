/** What the device needs from a battery-backed clock. Drivers implement it; one contract suite tests all of them. */
export interface ClockChip {
  /** Undefined when it has lost its time, or does not answer. */
  read(): Promise<ChipReading | undefined>;
  /** Rejects with a Problem when the chip cannot be written. */
  write(epochS: number): Promise<void>;
  /** The instant at which it wakes the device; null for none. A new one replaces the former one. */
  setAlarm(epochS: number | null): Promise<void>;
}

export interface ChipReading {
  epochS: number;
  /** Degrees Celsius, of a chip that measures it. */
  temperature?: number;
}
