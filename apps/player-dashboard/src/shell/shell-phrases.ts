import type { Translations } from "../app/language/translations.ts";

interface ShellPhrases {
  navigation: string;
  skip: string;
  /** `{prayer}` and `{time}`. */
  nextPrayer: string;
  noPlace: string;
  unlock: string;
  notFound: string;
  notFoundHint: string;
  toNow: string;
}

const english: ShellPhrases = {
  navigation: "Pages",
  skip: "Skip to the page",
  nextPrayer: "{prayer} {time}",
  noPlace: "Set your place for prayer times",
  unlock: "Unlock",
  notFound: "There is no such page.",
  notFoundHint: "The address may be mistyped.",
  toNow: "To the first page",
};

const arabic: ShellPhrases = {
  navigation: "الصفحات",
  skip: "إلى محتوى الصفحة",
  nextPrayer: "{prayer} {time}",
  noPlace: "حدّد مكانك لتظهر أوقات الصلاة",
  unlock: "افتح القفل",
  notFound: "لا توجد صفحة كهذه.",
  notFoundHint: "قد يكون في العنوان خطأ.",
  toNow: "إلى الصفحة الأولى",
};

export const shellPhrases: Translations<ShellPhrases> = { en: english, ar: arabic };
