import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  console: "Console",
  openPalette: "Search and commands",
  openSheet: "Keyboard shortcuts",
  placeholder: "Type a command, or look for an alert, a case, a host",
  results: "Commands and records",
  searching: "Searching",
  nothing: "Nothing matches “{text}”",
  searchFailed: "Records could not be searched: {reason}",
  keyboard: "Keyboard shortcuts",
  andThen: "then",
  close: "Close",
};

const arabic: Phrases<typeof english> = {
  console: "وحدة التحكم",
  openPalette: "البحث والأوامر",
  openSheet: "اختصارات لوحة المفاتيح",
  placeholder: "اكتب أمرًا، أو ابحث عن تنبيه أو قضية أو مضيف",
  results: "الأوامر والسجلات",
  searching: "جارٍ البحث",
  nothing: "لا شيء يطابق «{text}»",
  searchFailed: "تعذّر البحث في السجلات: {reason}",
  keyboard: "اختصارات لوحة المفاتيح",
  andThen: "ثم",
  close: "إغلاق",
};

export const keysPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
