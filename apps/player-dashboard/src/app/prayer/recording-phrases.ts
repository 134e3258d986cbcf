import type { Phrases, Translations } from "../language/translations.ts";

/** What the first page says of the adhan; the other phrases are loaded with the pages about prayer. */
const english = {
  fileTone: "You will hear a short tone instead of the adhan.",
  fileMissing: "The chosen recording is not on the card. You will hear a short tone instead of the adhan.",
};

const arabic: Phrases<typeof english> = {
  fileTone: "ستسمع نغمة قصيرة بدل الأذان.",
  fileMissing: "التسجيل المختار غير موجود على البطاقة. ستسمع نغمة قصيرة بدل الأذان.",
};

export const recordingPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
