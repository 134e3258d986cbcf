import { translations } from "../language/translations.ts";

export const pagePhrases = translations({
  failed: ["This could not be read", "تعذّرت قراءة هذا"],
  retry: ["Try again", "أعد المحاولة"],
});
