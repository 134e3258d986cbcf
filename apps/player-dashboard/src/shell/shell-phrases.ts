import type { Translations } from "../app/language/translations.ts";

interface ShellPhrases {
  navigation: string;
  skip: string;
  noPlace: string;
  unlock: string;
  notFound: string;
  notFoundHint: string;
  toNow: string;
}

const english: ShellPhrases = {
  navigation: "Pages",
  skip: "Skip to content",
  noPlace: "Set your location to see prayer times",
  unlock: "Unlock",
  notFound: "Page not found",
  notFoundHint: "Check the address, or go to the home page.",
  toNow: "Home",
};

const arabic: ShellPhrases = {
  navigation: "الصفحات",
  skip: "إلى محتوى الصفحة",
  noPlace: "حدّد مكانك لتظهر أوقات الصلاة",
  unlock: "افتح القفل",
  notFound: "الصفحة غير موجودة",
  notFoundHint: "تحقق من العنوان، أو انتقل إلى الصفحة الرئيسية.",
  toNow: "الصفحة الرئيسية",
};

export const shellPhrases: Translations<ShellPhrases> = { en: english, ar: arabic };
