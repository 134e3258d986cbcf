import type { SystemBody } from "@player/service/contract/system";
import { counted, numberWords } from "../language/numbers.ts";
import { fill } from "../language/translations.ts";
import { findPart } from "./parts.ts";
import type { PartPhrases, SystemPhrases } from "./system-phrases.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The two largest units that say something: days and hours, or hours and minutes. */
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

/** One decimal below ten, none above; 1,023.9 kilobytes are a megabyte, not 1,024 kilobytes. */
export function bytesWords(sizeBytes: number, { byteUnits, language }: SystemPhrases): string {
  const [smallest, ...larger] = byteUnits;
  let value = sizeBytes;
  let unit = smallest ?? { other: "#" };
  for (const next of larger) {
    if (Math.round(value) < 1024) break;
    value /= 1024;
    unit = next;
  }
  return counted(value < 10 ? Math.round(value * 10) / 10 : Math.round(value), unit, language);
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
    size: bytesWords(bytes, phrases),
  });
}

export function failureWords(component: string, phrases: SystemPhrases): PartPhrases {
  const part = findPart(component);
  return part ? phrases.parts[part] : { didNotStart: fill(phrases.unknownPart, { component }), meaning: "" };
}

/** The whole start in a few words; a part that is missing matters more than a warning. */
export function startUpWords({ boot_failures, warnings }: SystemBody, phrases: SystemPhrases): string {
  if (boot_failures.length > 0) return counted(boot_failures.length, phrases.partsNotStarted, phrases.language);
  if (warnings.length > 0) return counted(warnings.length, phrases.warningsCounted, phrases.language);
  return phrases.allStarted;
}

export function awayWords(error: string | undefined, phrases: SystemPhrases): string {
  return error === undefined ? phrases.away : fill(phrases.refused, { error });
}
