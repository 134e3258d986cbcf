import type { Language } from "../../app/language/language.ts";
import { counted } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { simplePhrases } from "./simple-phrases.ts";

/** A duration in words: no seconds, no colons. */
export function untilWords(seconds: number, language: Language): string {
  const phrases = simplePhrases[language];
  const whole = Math.floor(Math.max(0, seconds) / 60);
  const hours = counted(Math.floor(whole / 60), phrases.hours, language);
  const minutes = counted(whole % 60, phrases.minutes, language);
  if (whole === 0) return phrases.soon;
  if (whole < 60) return fill(phrases.inDuration, { duration: minutes });
  if (whole % 60 === 0) return fill(phrases.inDuration, { duration: hours });
  return fill(phrases.inDuration, { duration: fill(phrases.hoursAndMinutes, { hours, minutes }) });
}
