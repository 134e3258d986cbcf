import type { SystemBody } from "@player/service/contract/system";
import { ApiError } from "../../app/api/api-client.ts";
import { bytesWords } from "../../app/language/bytes.ts";
import { counted, numberWords } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { findPart } from "./parts.ts";
import type { PartPhrases, SystemPhrases } from "./system-phrases.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The two largest non-zero units: days and hours, or hours and minutes. */
export function uptimeWords(uptimeSeconds: number, phrases: SystemPhrases): string {
  const { days, hours, minutes, language } = phrases;
  if (uptimeSeconds < MINUTE) return phrases.lessThanAMinute;

  const dayCount = Math.floor(uptimeSeconds / DAY);
  const hourCount = Math.floor((uptimeSeconds % DAY) / HOUR);
  const minuteCount = Math.floor((uptimeSeconds % HOUR) / MINUTE);

  const units =
    dayCount > 0
      ? ([
          [dayCount, days],
          [hourCount, hours],
        ] as const)
      : ([
          [hourCount, hours],
          [minuteCount, minutes],
        ] as const);
  const [larger, smaller] = units
    .filter(([count]) => count > 0)
    .map(([count, forms]) => counted(count, forms, language));
  if (larger === undefined) return phrases.lessThanAMinute;
  return smaller === undefined ? larger : fill(phrases.durationOfTwo, { larger, smaller });
}

export function storageUsedWords({ used_entries, total_entries }: SystemBody["nvs"], phrases: SystemPhrases): string {
  return fill(phrases.storageUsed, {
    used: numberWords(used_entries, phrases.language),
    total: numberWords(total_entries, phrases.language),
  });
}

export function storageFreeWords({ free_entries, bytes }: SystemBody["nvs"], phrases: SystemPhrases): string {
  return fill(phrases.storageFree, {
    free: numberWords(free_entries, phrases.language),
    size: bytesWords(bytes, phrases.language),
  });
}

export function failureWords(component: string, phrases: SystemPhrases): PartPhrases {
  const part = findPart(component);
  return part ? phrases.parts[part] : { didNotStart: fill(phrases.unknownPart, { component }), meaning: "" };
}

/** The player's own words when it gave any. */
export function failedReadingWords(error: unknown, phrases: SystemPhrases): string {
  const isRefused = error instanceof ApiError && error.status !== 0 && error.message !== "";
  return isRefused ? fill(phrases.refused, { error: error.message }) : phrases.unreachable;
}
