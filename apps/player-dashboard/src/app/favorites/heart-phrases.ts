import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  favorite: "Favorite",
  favoriteNamed: "Favorite: {name}",
};

const arabic: Phrases<typeof english> = {
  favorite: "في المفضلة",
  favoriteNamed: "في المفضلة: {name}",
};

export const heartPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
