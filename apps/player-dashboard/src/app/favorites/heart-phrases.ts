import type { Translations } from "../language/translations.ts";

interface HeartPhrases {
  favorite: string;
  /** `{name}`. */
  favoriteNamed: string;
}

const english: HeartPhrases = {
  favorite: "Favorite",
  favoriteNamed: "Favorite: {name}",
};

const arabic: HeartPhrases = {
  favorite: "في المفضلة",
  favoriteNamed: "في المفضلة: {name}",
};

export const heartPhrases: Translations<HeartPhrases> = { en: english, ar: arabic };
