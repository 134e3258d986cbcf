import type { Language } from "./language.ts";

// The digits and the calendar are named, since which ones plain "ar" means differs between browsers.
export const NUMBER_LOCALES: Readonly<Record<Language, string>> = { en: "en", ar: "ar-u-nu-arab" };
export const DATE_LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", ar: "ar-u-ca-gregory-nu-arab" };
