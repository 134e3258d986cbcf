import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";

interface StartUpPhrases {
  partsNotStarted: PluralForms;
  warningsCounted: PluralForms;
  allStarted: string;
}

const english: StartUpPhrases = {
  partsNotStarted: { one: "# part did not start", other: "# parts did not start" },
  warningsCounted: { one: "# warning", other: "# warnings" },
  allStarted: "All parts started",
};

const arabic: StartUpPhrases = {
  partsNotStarted: {
    one: "تعذّر تشغيل جزء واحد",
    two: "تعذّر تشغيل جزأين",
    few: "تعذّر تشغيل # أجزاء",
    other: "تعذّر تشغيل # جزءًا",
  },
  warningsCounted: { one: "تنبيه واحد", two: "تنبيهان", few: "# تنبيهات", many: "# تنبيهًا", other: "# تنبيه" },
  allStarted: "جميع الأجزاء تعمل",
};

export const startUpPhrases: Translations<StartUpPhrases> = { en: english, ar: arabic };
