import { translations } from "../language/translations.ts";

export const ruleTimePhrases = translations({
  kinds: {
    ran: ["ran", "عملت"],
    late: ["late", "متأخرة"],
    skipped: ["skipped", "متخطاة"],
    capped: ["capped", "محدودة"],
    silent: ["source silent", "المصدر صامت"],
  },
  noTime: ["no run time recorded yet", "لم يُحتسب أي وقت بعد"],
});
