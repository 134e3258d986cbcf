import { invalidField } from "@kit/problem";
import Value from "typebox/value";
import { type PrayerConfig, PrayerConfigRequest } from "./prayer.schema.ts";

export const DEFAULT_CONFIG: Readonly<PrayerConfig> = {
  method: 0,
  asr_hanafi: false,
  offsets_min: [0, 0, 0, 0, 0, 0],
  adhan: { enabled: false, prayer_mask: 0b111101, volume: 0, path: "", fajr_path: "" },
};

/** Checks that a schema cannot express. */
export function checkRequest(request: PrayerConfigRequest): void {
  if (Object.keys(request).length === 0) {
    const known = Object.keys(PrayerConfigRequest.properties).join(", ");
    throw invalidField("body", `must have at least one of ${known}`);
  }
  if (request.lat === undefined && request.lng !== undefined) throw invalidField("lat", "must come with lng");
  if (request.lng === undefined && request.lat !== undefined) throw invalidField("lng", "must come with lat");
}

export function mergeConfig(config: PrayerConfig, request: PrayerConfigRequest): PrayerConfig {
  return { ...config, ...request, adhan: { ...config.adhan, ...request.adhan } };
}

/** The stored configuration; undefined when it is not usable. An earlier or later version may have written it. */
export function parseConfig(text: string): PrayerConfig | undefined {
  const stored = Value.Clean(PrayerConfigRequest, parseJson(text));
  if (!Value.Check(PrayerConfigRequest, stored)) return undefined;
  return mergeConfig(DEFAULT_CONFIG, stored);
}

export function placeOf({ lat, lng }: PrayerConfig): { lat: number; lng: number } | undefined {
  return lat === undefined || lng === undefined ? undefined : { lat, lng };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
