import type { PowerManager } from "../power/power-manager.ts";

export interface SimulatedPower extends PowerManager {
  isAsleep(): boolean;
  /** What the button and the clock chip do. */
  wake(): void;
}

/** It sleeps until somebody wakes it; the service itself runs on, so that it can be asked. */
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
