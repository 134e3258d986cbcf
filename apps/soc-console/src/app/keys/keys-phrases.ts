import type { Translations } from "../language/translations.ts";

interface KeysPhrases {
  console: string;
  openPalette: string;
  openSheet: string;
  placeholder: string;
  results: string;
  searching: string;
  /** `{text}` */
  nothing: string;
  /** `{reason}` */
  searchFailed: string;
  keyboard: string;
  andThen: string;
  close: string;
}

export const keysPhrases: Translations<KeysPhrases> = {
  en: {
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
  },
  ar: {
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
  },
};
