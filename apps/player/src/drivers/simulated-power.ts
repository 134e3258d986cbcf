import type { PowerManager } from "../power/power-manager.ts";

export interface SimulatedPower extends PowerManager {
  isAsleep(): boolean;
  /** The effect of the button and the clock chip. */
  wake(): void;
}

/** Sleeps until wake() is called; the service itself keeps running, so that it can still answer. */
export function createSimulatedPower(): SimulatedPower {
  let wake: (() => void) | undefined;
  return {
    start: async () => undefined,
    suspend: () =>
      new Promise((resolve) => {
        wake = () => {
          wake = undefined;
          resolve();
        };
      }),
    isAsleep: () => wake !== undefined,
    wake: () => wake?.(),
  };
}
