import type { Language } from "../language/language.ts";
import { counted, type PluralForms } from "../language/numbers.ts";

export interface MinutesWords {
  /** The label of 0. */
  zero: string;
  minutes: PluralForms;
  hours: PluralForms;
}

/** The usual durations in order, including one that was set elsewhere; 0 is last. */
export function minutesOptions(
  usual: readonly number[],
  current: number,
  words: MinutesWords,
  language: Language,
): { value: string; label: string }[] {
  const offered = [...new Set([...usual, current])].filter((minutes) => minutes > 0).toSorted((a, b) => a - b);
  return [...offered, 0].map((minutes) => ({ value: String(minutes), label: minutesWords(minutes, words, language) }));
}

function minutesWords(minutes: number, { zero, ...forms }: MinutesWords, language: Language): string {
  if (minutes === 0) return zero;
  return minutes % 60 === 0 ? counted(minutes / 60, forms.hours, language) : counted(minutes, forms.minutes, language);
}
