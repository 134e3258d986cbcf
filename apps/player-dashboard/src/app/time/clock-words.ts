import type { SettingsBody } from "@player/service/contract/settings";
import type { Language } from "../language/language.ts";
import { DATE_LOCALES } from "../language/locales.ts";
import { formatDigits, wallTimeWords } from "../language/times.ts";
import { wallTimeAt } from "../language/zone.ts";

type Clock = Pick<SettingsBody, "timezone" | "time_format_24h">;

const DAY_MS = 86_400_000;

/** The device's time of day, such as 5:42 PM. */
export function clockWords({ timezone, time_format_24h }: Clock, epochSeconds: number, language: Language): string {
  return wallTimeWords(wallTimeAt(timezone, epochSeconds).time, time_format_24h, language);
}

/** The same with its seconds, such as 5:42:07 PM. */
export function tickingWords(clock: Clock, epochSeconds: number, language: Language): string {
  const seconds = formatDigits(String(epochSeconds % 60).padStart(2, "0"), language);
  return clockWords(clock, epochSeconds, language).replace(/:\p{Nd}{2}/u, (minutes) => `${minutes}:${seconds}`);
}

/** The device's date, such as Sunday 15 November 2026. */
export function dateWords({ timezone }: Pick<Clock, "timezone">, epochSeconds: number, language: Language): string {
  const form = { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(DATE_LOCALES[language], form).format(dateAt(timezone, epochSeconds));
}

/** For the name of a file: 2026-11-15. */
export function dateName({ timezone }: Pick<Clock, "timezone">, epochSeconds: number): string {
  return dateAt(timezone, epochSeconds).toISOString().slice(0, 10);
}

function dateAt(timezone: string, epochSeconds: number): Date {
  return new Date(wallTimeAt(timezone, epochSeconds).day * DAY_MS);
}
