import type { Language } from "../../app/language/language.ts";
import { counted, type PluralForms } from "../../app/language/numbers.ts";

export interface PhoneClockWords {
  phoneSame: string;
  phoneAhead: PluralForms;
  phoneBehind: PluralForms;
  phoneFar: string;
}

/** A smaller difference is network latency. */
const SAME_WITHIN_S = 2;
const FAR_S = 3600;

/** Compares the phone's clock with the device's. */
export function phoneClockWords(aheadMs: number, words: PhoneClockWords, language: Language): string {
  const aheadSeconds = Math.round(aheadMs / 1000);
  const apart = Math.abs(aheadSeconds);
  if (apart < SAME_WITHIN_S) return words.phoneSame;
  if (apart > FAR_S) return words.phoneFar;
  return counted(apart, aheadSeconds > 0 ? words.phoneAhead : words.phoneBehind, language);
}
