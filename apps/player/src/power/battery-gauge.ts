import type { BatteryBody } from "./power.schema.ts";

/** What the device needs from its battery gauge. One contract suite tests all implementations. */
export interface BatteryGauge {
  /** Rejects with a Problem when the gauge does not answer; a device without a battery also returns a reading. */
  read(): Promise<BatteryBody>;
}

export const NO_BATTERY: Readonly<BatteryBody> = { present: false, voltage: 0, percentage: 0, charging: false };
