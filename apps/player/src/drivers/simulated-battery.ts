import type { BatteryGauge } from "../power/battery-gauge.ts";
import type { BatteryBody } from "../power/power.schema.ts";

export interface SimulatedBattery extends BatteryGauge {
  become(battery: Pick<BatteryBody, "percentage" | "charging">): void;
  /** Simulates a missing battery. */
  takeOut(): void;
}

const FULL_VOLTS = 4.2;
const EMPTY_VOLTS = 3.3;

/** One lithium cell, initially full and on its charger. */
export function createSimulatedBattery(): SimulatedBattery {
  let battery: Pick<BatteryBody, "percentage" | "charging"> | undefined = { percentage: 100, charging: true };
  return {
    async read() {
      if (!battery) return { present: false, voltage: 0, percentage: 0, charging: false };
      const voltage = EMPTY_VOLTS + ((FULL_VOLTS - EMPTY_VOLTS) * battery.percentage) / 100;
      return { present: true, voltage: Math.round(voltage * 100) / 100, ...battery };
    },
    become(wanted) {
      battery = wanted;
    },
    takeOut() {
      battery = undefined;
    },
  };
}
