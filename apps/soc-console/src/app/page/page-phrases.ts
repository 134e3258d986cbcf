import type { Translations } from "../language/translations.ts";

export interface PagePhrases {
  failed: string;
  retry: string;
}

export const pagePhrases: Translations<PagePhrases> = {
  en: { failed: "This could not be read", retry: "Try again" },
  ar: { failed: "تعذّرت قراءة هذا", retry: "أعد المحاولة" },
};
