import type { Language } from "../language/language.ts";
import { DATE_LOCALES } from "../language/locales.ts";
import { wallTimeWords } from "../language/times.ts";
import { fill } from "../language/translations.ts";
import { wallTimeAt } from "../language/zone.ts";
import { instantPhrases } from "./instant-phrases.ts";

/** What the wording of an instant depends on. */
export interface InstantContext {
  nowS: number;
  timezone: string;
  is24h: boolean;
  language: Language;
}

/** "tomorrow at 4:52", in the device's own time zone. */
export function instantWords(epochS: number, { nowS, timezone, is24h, language }: InstantContext): string {
  const phrases = instantPhrases[language];
  const wall = wallTimeAt(timezone, epochS);
  const time = wallTimeWords(wall.time, is24h, language);
  const distance = wall.day - wallTimeAt(timezone, nowS).day;
  if (distance === 0) return fill(phrases.todayAt, { time });
  if (distance === 1) return fill(phrases.tomorrowAt, { time });
  if (distance === -1) return fill(phrases.yesterdayAt, { time });
  const isNear = Math.abs(distance) < 7;
  const day = isNear ? (phrases.weekdays[wall.weekday] ?? "") : dateWords(wall.day, language);
  return fill(phrases.dayAt, { day, time });
}

function dateWords(day: number, language: Language): string {
  const form = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(DATE_LOCALES[language], form).format(day * 86_400_000);
}
