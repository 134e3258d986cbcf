import type { Phrases, Translations } from "../app/language/translations.ts";

const english = {
  navigation: "Pages",
  skip: "Skip to content",
  noPlace: "Set your location to see prayer times",
  unlock: "Unlock",
  notFound: "Page not found",
  notFoundHint: "Check the address, or go to the home page.",
  toNow: "Home",
};

const arabic: Phrases<typeof english> = {
  navigation: "الصفحات",
  skip: "إلى محتوى الصفحة",
  noPlace: "حدّد مكانك لتظهر أوقات الصلاة",
  unlock: "افتح القفل",
  notFound: "الصفحة غير موجودة",
  notFoundHint: "تحقق من العنوان، أو انتقل إلى الصفحة الرئيسية.",
  toNow: "الصفحة الرئيسية",
};

export const shellPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
