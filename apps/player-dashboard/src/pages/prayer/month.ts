import type { PrayerMonthBody } from "@player/service/contract/prayer";
import type { Language } from "../../app/language/language.ts";
import { DATE_LOCALES } from "../../app/language/locales.ts";

const FIRST = "2000-01";
const LAST = "2099-12";

/** The month before or after, as `2026-11`; undefined where the device knows none. */
export function shiftMonth(month: string, distance: number): string | undefined {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const months = year * 12 + number - 1 + distance;
  const unreachable = `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}`;
  return unreachable >= FIRST && unreachable <= LAST ? unreachable : undefined;
}

/** Formats a date such as `2026-11-15`. It has no zone, so it is parsed and formatted in UTC. */
export function dateWords(date: string, options: Intl.DateTimeFormatOptions, language: Language): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Intl.DateTimeFormat(DATE_LOCALES[language], { ...options, timeZone: "UTC" }).format(
    Date.UTC(year, month - 1, day),
  );
}

/** How many days from one date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

export interface HijriSpan {
  from: { month: number; year: number };
  to: { month: number; year: number };
}

/** A Gregorian month overlaps two or three Hijri months. */
export function hijriSpan(days: PrayerMonthBody["days"]): HijriSpan | undefined {
  const from = days[0]?.hijri;
  const to = days.at(-1)?.hijri;
  return from && to && { from: { month: from.month, year: from.year }, to: { month: to.month, year: to.year } };
}

/** A timetable omits AM and PM, because the column makes it clear. */
export function tableTime(time: string, is24h: boolean): string {
  if (is24h) return time;
  const [hour = 0, minute = "00"] = [Number(time.slice(0, 2)), time.slice(3)];
  return `${hour % 12 || 12}:${minute}`;
}
