import type { Translations } from "../language/translations.ts";

interface RecordingPhrases {
  fileTone: string;
  fileMissing: string;
}

/** What the first page says of the adhan; the other phrases are loaded with the pages about prayer. */
export const recordingPhrases: Translations<RecordingPhrases> = {
  en: {
    fileTone: "A short tone will sound, not an adhan.",
    fileMissing: "The chosen recording is not on the card. A short tone will sound, not an adhan.",
  },
  ar: {
    fileTone: "ستُسمع نغمة قصيرة لا أذان.",
    fileMissing: "التسجيل المختار غير موجود على البطاقة. ستُسمع نغمة قصيرة لا أذان.",
  },
};
