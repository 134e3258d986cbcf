import type { Language } from "./language.ts";

// Both languages use Latin digits: counts appear beside addresses, ports, ids and timestamps, which people compare and
// copy. The calendar is explicit, because browsers disagree on the defaults of plain "ar".
export const NUMBER_LOCALES: Readonly<Record<Language, string>> = { en: "en", ar: "ar-u-nu-latn" };
export const DATE_LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", ar: "ar-u-ca-gregory-nu-latn" };
