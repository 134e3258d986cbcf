import type { SystemBody } from "@player/service/contract/system";
import { ApiError } from "../../app/api/api-client.ts";
import { errorWords } from "../../app/api/error-words.ts";
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

const ALMOST_FULL = 0.8;
const LOW_MEMORY_BYTES = 64 * 1024 * 1024;

/** Whether the settings still have space. The number of entries would mean nothing to a user. */
export function storageWords({ used_entries, total_entries }: SystemBody["nvs"], phrases: SystemPhrases): string {
  const share = total_entries > 0 ? used_entries / total_entries : 1;
  if (share < ALMOST_FULL) return phrases.storageFine;
  return fill(phrases.storageAlmostFull, { percent: numberWords(Math.round(100 * share), phrases.language) });
}

export function memoryWords(free_heap: number, phrases: SystemPhrases): string {
  return free_heap < LOW_MEMORY_BYTES ? phrases.memoryLow : phrases.memoryFine;
}

export function failureWords(component: string, phrases: SystemPhrases): PartPhrases {
  const part = findPart(component);
  return part ? phrases.parts[part] : { didNotStart: fill(phrases.unknownPart, { component }), meaning: "" };
}

export function failedReadingWords(error: unknown, phrases: SystemPhrases): string {
  return error instanceof ApiError && error.status >= 400 ? errorWords(error, phrases.language) : phrases.unreachable;
}
