import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  sites: "Sites",
  all: "All sites",
  some: "Only these sites",
  chooseOne: "Choose at least one site.",
};

const arabic: Phrases<typeof english> = {
  sites: "المواقع",
  all: "كل المواقع",
  some: "هذه المواقع فقط",
  chooseOne: "اختر موقعًا واحدًا على الأقل.",
};

export const sitesFieldPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
