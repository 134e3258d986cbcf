/** What the feature needs from the system that runs: which boot of the device this is. */
export interface BootReader {
  read(): Promise<Boot>;
}

export interface Boot {
  /** Random, and different after every start of the device. */
  id: string;
  /** Since that start, by a clock that never jumps. */
  uptime_ms: number;
}
