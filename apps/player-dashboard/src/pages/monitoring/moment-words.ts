import type { SettingsBody } from "@player/service/contract/settings";
import type { Language } from "../../app/language/language.ts";
import { DATE_LOCALES } from "../../app/language/locales.ts";
import { wallTimeAt } from "../../app/language/zone.ts";
import { clockWords } from "../../app/time/clock-words.ts";

const DAY_MS = 86_400_000;

/** A moment by the device's clock, such as 15 Nov, 5:42 PM. */
export function momentWords(
  clock: Pick<SettingsBody, "timezone" | "time_format_24h"> | undefined,
  epochSeconds: number,
  language: Language,
): string {
  const known = clock ?? { timezone: "UTC0", time_format_24h: true };
  const day = new Date(wallTimeAt(known.timezone, epochSeconds).day * DAY_MS);
  const form = { day: "numeric", month: "short", timeZone: "UTC" } as const;
  const date = new Intl.DateTimeFormat(DATE_LOCALES[language], form).format(day);
  return `${date}${language === "ar" ? "،" : ","} ${clockWords(known, epochSeconds, language)}`;
}
