import { commonPhrases } from "../language/common-phrases.ts";
import type { Language } from "../language/language.ts";
import { numberWords } from "../language/numbers.ts";
import { signedWords } from "../language/signed.ts";
import { fill } from "../language/translations.ts";
import type { Suggestion } from "../places/suggestion.ts";
import { adhanPhrases } from "./adhan-phrases.ts";

/** The angles of the methods, as the API document numbers them: batoulapps/adhan-js, METHODS.md. */
const ANGLES: readonly { fajr: number; isha: number | "interval" }[] = [
  { fajr: 18, isha: 17 },
  { fajr: 15, isha: 15 },
  { fajr: 19.5, isha: 17.5 },
  { fajr: 18.5, isha: "interval" },
  { fajr: 18, isha: 18 },
];

/** The name of a method and its angles, by which calendars are compared. */
export function methodWords(method: number, language: Language): string {
  const { methods, angles, anglesInterval } = adhanPhrases[language];
  const { fajr, isha } = ANGLES[method] ?? { fajr: 0, isha: 0 };
  const values = {
    method: methods[method] ?? "",
    fajr: numberWords(fajr, language),
    isha: isha === "interval" ? "" : numberWords(isha, language),
  };
  return fill(isha === "interval" ? anglesInterval : angles, values);
}

/** How the times of a place will be calculated, a sentence each. */
export function suggestionWords(
  { method, offsets_min, asr_hanafi, isOwn }: Suggestion,
  language: Language,
): { method: string; more: string[] } {
  const phrases = adhanPhrases[language];
  const { prayers } = commonPhrases[language];
  const offsets = offsets_min.flatMap((minutes, index) =>
    minutes === 0
      ? []
      : fill(phrases.offset, { prayer: prayers[index] ?? "", minutes: signedWords(minutes, language) }),
  );
  return {
    method: fill(isOwn ? phrases.methodUsual : phrases.methodClosest, {
      method: methodWords(method, language),
      asr: asr_hanafi ? phrases.asrHanafi : phrases.asrStandard,
    }),
    more: [
      ...(offsets.length > 0 ? [fill(phrases.offsets, { offsets: offsets.join(phrases.comma) })] : []),
      ...(isOwn ? [] : [phrases.closestHint]),
    ],
  };
}
