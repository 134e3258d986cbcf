import type { ControlWords } from "../../design/control-context.ts";
import type { Translations } from "../language/translations.ts";

export const controlPhrases: Translations<ControlWords> = {
  en: { product: "Manara", close: "Close", locked: "locked, asks for the token", less: "Less", more: "More" },
  ar: { product: "منارة", close: "إغلاق", locked: "مقفل، يطلب الرمز", less: "أقل", more: "أكثر" },
};
