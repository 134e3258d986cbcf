import type { Prayer, PrayerConfig, PrayerConfigRequest } from "@player/service/contract/prayer";

/** In the order of the API document; the place in it is the bit of the mask. */
export const PRAYERS = ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"] as const satisfies readonly Prayer[];

export const FAJR = 0;
/** Sunrise is bit 1 of the mask but never calls to prayer (API document, prayer configuration). */
const SUNRISE = 1;

export function canBeCalled(index: number): boolean {
  return index !== SUNRISE;
}

export function isCalled(mask: number, index: number): boolean {
  return canBeCalled(index) && (mask & (1 << index)) !== 0;
}

export function withCall(mask: number, index: number, isOn: boolean): number {
  return isOn ? mask | (1 << index) : mask & ~(1 << index);
}

/** Whether the mask selects any prayer. */
export function hasCalls(mask: number): boolean {
  return PRAYERS.some((_, index) => isCalled(mask, index));
}

export function withOffset(offsets: readonly number[], index: number, minutes: number): number[] {
  return offsets.map((offset, each) => (each === index ? minutes : offset));
}

/** Merges as the device does: omitted fields do not change. */
export function mergeConfig(config: PrayerConfig, request: PrayerConfigRequest): PrayerConfig {
  return { ...config, ...request, adhan: { ...config.adhan, ...request.adhan } };
}

/** Both changes as one; the later one wins. */
export function mergeRequests(earlier: PrayerConfigRequest, later: PrayerConfigRequest): PrayerConfigRequest {
  const adhan = { ...earlier.adhan, ...later.adhan };
  return { ...earlier, ...later, ...(Object.keys(adhan).length > 0 && { adhan }) };
}
