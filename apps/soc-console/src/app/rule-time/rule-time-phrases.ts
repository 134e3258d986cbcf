import type { Translations } from "../language/translations.ts";
import type { TimeKind } from "./rule-time.ts";

export const ruleTimePhrases: Translations<{ kinds: Record<TimeKind, string>; noTime: string }> = {
  en: {
    kinds: { ran: "ran", late: "late", skipped: "skipped", capped: "capped", silent: "source silent" },
    noTime: "no run time recorded yet",
  },
  ar: {
    kinds: { ran: "عملت", late: "متأخرة", skipped: "متخطاة", capped: "محدودة", silent: "المصدر صامت" },
    noTime: "لم يُحتسب أي وقت بعد",
  },
};
