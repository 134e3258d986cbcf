import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  dismiss: "Dismiss",
};

const arabic: Phrases<typeof english> = {
  dismiss: "إخفاء",
};

export const noticesPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
