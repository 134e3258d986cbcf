import type { Translations } from "../language/translations.ts";

interface ApiPhrases {
  noAnswer: string;
  /** `{seconds}`. */
  tooMany: string;
  /** `{error}`: what the device said. */
  refused: string;
}

const english: ApiPhrases = {
  noAnswer: "The player did not respond. Nothing was changed.",
  tooMany: "Too many taps. Try again in {seconds} s.",
  refused: "Could not do that: {error}",
};

const arabic: ApiPhrases = {
  noAnswer: "لم يستجب المشغّل، ولم يتغيّر شيء.",
  tooMany: "ضغطات كثيرة متتالية. حاول بعد {seconds} ث.",
  refused: "تعذّر تنفيذ ذلك: {error}",
};

export const apiPhrases: Translations<ApiPhrases> = { en: english, ar: arabic };
