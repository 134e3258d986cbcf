import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  partsNotStarted: { one: "# part did not start", other: "# parts did not start" },
  warningsCounted: { one: "# warning", other: "# warnings" },
  allStarted: "All parts started",
};

const arabic: Phrases<typeof english> = {
  partsNotStarted: {
    one: "تعذّر تشغيل جزء واحد",
    two: "تعذّر تشغيل جزأين",
    few: "تعذّر تشغيل # أجزاء",
    other: "تعذّر تشغيل # جزءًا",
  },
  warningsCounted: { one: "تنبيه واحد", two: "تنبيهان", few: "# تنبيهات", many: "# تنبيهًا", other: "# تنبيه" },
  allStarted: "جميع الأجزاء تعمل",
};

export const startUpPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
