import { translations } from "../language/translations.ts";

export const keysPhrases = translations({
  console: ["Console", "وحدة التحكم"],
  openPalette: ["Search and commands", "البحث والأوامر"],
  openSheet: ["Keyboard shortcuts", "اختصارات لوحة المفاتيح"],
  placeholder: ["Type a command, or look for an alert, a case, a host", "اكتب أمرًا، أو ابحث عن تنبيه أو قضية أو مضيف"],
  results: ["Commands and records", "الأوامر والسجلات"],
  searching: ["Searching", "جارٍ البحث"],
  nothing: ["Nothing matches “{text}”", "لا شيء يطابق «{text}»"],
  searchFailed: ["Records could not be searched: {reason}", "تعذّر البحث في السجلات: {reason}"],
  keyboard: ["Keyboard shortcuts", "اختصارات لوحة المفاتيح"],
  andThen: ["then", "ثم"],
});
