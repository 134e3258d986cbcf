import { translations } from "../language/translations.ts";

export const readingPhrases = translations({
  asOf: ["Could not be read again: as of {time}", "تعذّرت القراءة من جديد: كما كان {time}"],
});
