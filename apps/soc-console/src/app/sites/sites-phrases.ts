import type { Translations } from "../language/translations.ts";

interface SitesFieldPhrases {
  sites: string;
  all: string;
  some: string;
  chooseOne: string;
}

export const sitesFieldPhrases: Translations<SitesFieldPhrases> = {
  en: {
    sites: "Sites",
    all: "All sites",
    some: "Only these sites",
    chooseOne: "Choose at least one site.",
  },
  ar: {
    sites: "المواقع",
    all: "كل المواقع",
    some: "هذه المواقع فقط",
    chooseOne: "اختر موقعًا واحدًا على الأقل.",
  },
};
