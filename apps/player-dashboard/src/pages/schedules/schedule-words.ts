import type { ScheduleBody } from "@player/service/contract/schedules";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import type { Language } from "../../app/language/language.ts";
import { counted, numberWords } from "../../app/language/numbers.ts";
import { wallTimeWords } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { instantPhrases } from "../../app/time/instant-phrases.ts";
import { schedulesPhrases } from "./schedules-phrases.ts";

const ALL_DAYS = 127;

/** "4:52" or "20 minutes before Fajr". */
export function startWords(
  { hour, minute, anchor }: Pick<ScheduleBody, "hour" | "minute" | "anchor">,
  is24h: boolean,
  language: Language,
): string {
  const { beforePrayer, afterPrayer, atPrayer } = schedulesPhrases[language];
  if (!anchor) return wallTimeWords(`${twoDigits(hour ?? 0)}:${twoDigits(minute ?? 0)}`, is24h, language);
  const prayer = commonPhrases[language].prayers[anchor.prayer] ?? "";
  if (anchor.offset_min === 0) return fill(atPrayer, { prayer });
  const forms = anchor.offset_min < 0 ? beforePrayer : afterPrayer;
  return fill(counted(Math.abs(anchor.offset_min), forms, language), { prayer });
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

/** "Every day", "Friday", "Sunday to Thursday" or "Monday and Thursday". */
export function daysWords(days: number, language: Language): string {
  const { everyDay, daysTo, daysJoint, lastDayJoint } = schedulesPhrases[language];
  const { weekdays } = instantPhrases[language];
  if (days === ALL_DAYS) return everyDay;
  const chosen = weekdays.flatMap((_name, day) => (hasDay(days, day) ? [day] : []));
  const formatDay = (day: number | undefined) => weekdays[day ?? 0] ?? "";
  // A run of days has one start, even across the end of the week.
  const beginnings = chosen.filter((day) => !hasDay(days, (day + 6) % 7));
  const [first] = beginnings;
  if (beginnings.length === 1 && first !== undefined && chosen.length > 2) {
    return fill(daysTo, { first: formatDay(first), last: formatDay((first + chosen.length - 1) % 7) });
  }
  const names = chosen.map(formatDay);
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(daysJoint)}${lastDayJoint}${names.at(-1) ?? ""}`;
}

export function hasDay(days: number, day: number): boolean {
  return (days & (1 << day)) !== 0;
}

/** When a schedule starts, as one line: its days, and whether only once. */
export function repetitionWords({ days, once }: Pick<ScheduleBody, "days" | "once">, language: Language): string {
  const words = daysWords(days, language);
  return once ? fill(schedulesPhrases[language].onceOn, { days: words }) : words;
}

/** Volume, fade-in and duration; empty when none is set. */
export function mannerWords(
  { volume, fade_in_s, duration_min }: Pick<ScheduleBody, "volume" | "fade_in_s" | "duration_min">,
  language: Language,
): string {
  const { atVolume, fadesIn, stopsAfter, partJoint } = schedulesPhrases[language];
  const parts = [
    volume !== null && fill(atVolume, { volume: numberWords(volume, language) }),
    fade_in_s > 0 && counted(fade_in_s, fadesIn, language),
    duration_min > 0 && counted(duration_min, stopsAfter, language),
  ];
  const words = parts.filter(Boolean).join(partJoint);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The result of the last run; empty before the first one. */
export function resultWords(
  { last_result, last_run }: Pick<ScheduleBody, "last_result" | "last_run">,
  instantWords: (epochS: number) => string,
  language: Language,
): string {
  const phrases = schedulesPhrases[language];
  const when = last_run === null ? "" : instantWords(last_run);
  switch (last_result) {
    case "":
      return "";
    case "ok":
      return fill(phrases.ranAt, { when });
    case "running":
      return phrases.runningNow;
    case "missed":
      return phrases.missed;
    default:
      return fill(phrases.failed, { when, error: failureWords(last_result, language) });
  }
}

function failureWords(said: string, language: Language): string {
  const { notOnCard, goneTarget } = schedulesPhrases[language];
  if (/is not on the card/.test(said)) return notOnCard;
  return /does not exist/.test(said) ? goneTarget : said;
}

/** Why there is no next run. */
export function whyNoNext(
  { enabled, anchor }: Pick<ScheduleBody, "enabled" | "anchor">,
  { hasClock, hasPlace }: { hasClock: boolean; hasPlace: boolean },
): "off" | "waitsForClock" | "noPlace" | "neverAgain" {
  if (!enabled) return "off";
  if (!hasClock) return "waitsForClock";
  return anchor && !hasPlace ? "noPlace" : "neverAgain";
}
