import type { Language } from "./language.ts";

// Digits and calendar are explicit, because browsers disagree on the defaults of plain "ar".
export const NUMBER_LOCALES: Readonly<Record<Language, string>> = { en: "en", ar: "ar-u-nu-arab" };
export const DATE_LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", ar: "ar-u-ca-gregory-nu-arab" };
