import { type Calculation, resolveRule } from "../src/prayer/prayer-times.ts";

/** At 0° by the first method, except for the given fields. */
export function calculation(part: Partial<Calculation> = {}): Calculation {
  const { lat = 0 } = part;
  return {
    lat,
    lng: 0,
    method: 0,
    asr_hanafi: false,
    offsets_min: [0, 0, 0, 0, 0, 0],
    rule: resolveRule("auto", lat),
    hijri_adjust: 0,
    ...part,
  };
}
