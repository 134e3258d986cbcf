import type { Translations } from "../language/translations.ts";

interface ApiPhrases {
  noAnswer: string;
  /** `{seconds}`. */
  tooMany: string;
  /** `{error}`: what the device said. */
  refused: string;
}

const english: ApiPhrases = {
  noAnswer: "The player did not answer. Nothing was changed.",
  tooMany: "That was too much at once. Try again in {seconds} s.",
  refused: "The player refused: {error}",
};

const arabic: ApiPhrases = {
  noAnswer: "لم يجب المشغّل، ولم يتغيّر شيء.",
  tooMany: "طلبات كثيرة دفعة واحدة. حاول بعد {seconds} ث.",
  refused: "رفض المشغّل: {error}",
};

export const apiPhrases: Translations<ApiPhrases> = { en: english, ar: arabic };
