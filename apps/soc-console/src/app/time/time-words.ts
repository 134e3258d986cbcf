import type { Language } from "../language/language.ts";
import { fill } from "../language/language-context.tsx";
import { counted, type PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";

interface DurationForms {
  milliseconds: PluralForms;
  seconds: PluralForms;
  minutes: PluralForms;
  hours: PluralForms;
  days: PluralForms;
  ago: string;
  ahead: string;
  now: string;
}

const FORMS: Translations<DurationForms> = {
  en: {
    milliseconds: { other: "# ms" },
    seconds: { other: "# s" },
    minutes: { other: "# min" },
    hours: { other: "# h" },
    days: { other: "# d" },
    ago: "{duration} ago",
    ahead: "in {duration}",
    now: "now",
  },
  ar: {
    milliseconds: { other: "# م.ث" },
    seconds: { other: "# ث" },
    minutes: { other: "# د" },
    hours: { other: "# س" },
    days: { one: "يوم", two: "يومان", few: "# أيام", other: "# يومًا" },
    ago: "قبل {duration}",
    ahead: "بعد {duration}",
    now: "الآن",
  },
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `38 ms`, `3.1 s`, `41 min`, `2.1 h`, `14 h`, `3 d`. A negative duration counts as zero. */
export function durationWords(ms: number, language: Language): string {
  const forms = FORMS[language];
  const length = Math.max(0, ms);
  if (Math.round(length) < SECOND) return counted(Math.round(length), forms.milliseconds, language);
  if (Math.round(length / SECOND) < 60) return counted(toTwoFigures(length / SECOND), forms.seconds, language);
  if (Math.round(length / MINUTE) < 60) return counted(Math.round(length / MINUTE), forms.minutes, language);
  if (Math.round(length / HOUR) < 48) return counted(toTwoFigures(length / HOUR), forms.hours, language);
  return counted(Math.round(length / DAY), forms.days, language);
}

/** One decimal below ten. */
function toTwoFigures(value: number): number {
  return value < 10 ? Math.round(value * 10) / 10 : Math.round(value);
}

/** `4 s ago`, `in 41 min`, or `now` within a second. */
export function relativeWords(at: Date, now: Date, language: Language): string {
  const { ago, ahead, now: present } = FORMS[language];
  const ms = now.getTime() - at.getTime();
  if (Math.abs(ms) < SECOND) return present;
  const whole = Math.floor(Math.abs(ms) / SECOND) * SECOND;
  return fill(ms > 0 ? ago : ahead, { duration: durationWords(whole, language) });
}
