const LANGUAGES = ["en", "ar"] as const;
export type Language = (typeof LANGUAGES)[number];

function isLanguage(tag: string): tag is Language {
  return LANGUAGES.some((language) => language === tag);
}

/** The first supported tag wins, by its primary subtag (`ar-EG` is `ar`). Default: English. */
export function chooseLanguage(wantedTags: readonly string[]): Language {
  const primaries = wantedTags.map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return primaries.find(isLanguage) ?? "en";
}

export function directionOf(language: Language): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}

export function otherLanguage(language: Language): Language {
  return language === "ar" ? "en" : "ar";
}

/** The name of each language in itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", ar: "العربية" };
