import type { SettingsBody } from "@player/service/contract/settings";

export const BRIGHTEST = 255;

export function brightnessPercent({ brightness }: Pick<SettingsBody, "brightness">): number {
  return Math.round((100 * brightness) / BRIGHTEST);
}
