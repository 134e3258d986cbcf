import type { Language } from "./language.ts";

// Digits are Latin in both languages: a count stands beside addresses, ports, ids and instants of the evidence, which are
// compared and copied. The calendar is explicit, because browsers disagree on the defaults of plain "ar".
export const NUMBER_LOCALES: Readonly<Record<Language, string>> = { en: "en", ar: "ar-u-nu-latn" };
export const DATE_LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", ar: "ar-u-ca-gregory-nu-latn" };
