import type { Backlight } from "../settings/backlight.ts";

export interface SimulatedBacklight extends Backlight {
  brightness(): number;
}

export function createSimulatedBacklight(): SimulatedBacklight {
  let brightness = 0;
  return {
    start: async () => undefined,
    set: async (wanted) => {
      brightness = wanted;
    },
    brightness: () => brightness,
  };
}
