import { translations } from "../language/translations.ts";

/** Words of what hides matches: suppressions and exceptions. */
export const hidePhrases = translations({
  cancel: ["Cancel", "إلغاء"],
  previewed: ["Preview: nothing was changed", "معاينة: لم يتغير شيء"],
  suppressTitle: ["Suppress", "اكتم"],
  suppressText: [
    "Until it expires, matches of this rule with all of these values raise no alert. They are still recorded.",
    "مطابقات هذه القاعدة بكل هذه القيم لا تُنشئ تنبيهًا حتى النهاية، وتبقى مسجلة.",
  ],
  criteria: ["Criteria", "المعايير"],
  removeCriterion: ["Remove {name}", "أزل {name}"],
  addCriterion: ["Add a field", "أضف حقلًا"],
  value: ["Value", "القيمة"],
  add: ["Add", "أضف"],
  ends: ["Expires in", "ينتهي بعد"],
  endsIn: {
    hours: [
      { one: "# hour", other: "# hours" },
      { one: "ساعة", two: "ساعتين", few: "# ساعات", other: "# ساعة" },
    ],
    days: [
      { one: "# day", other: "# days" },
      { one: "يوم", two: "يومين", few: "# أيام", other: "# يومًا" },
    ],
  },
  reason: ["Reason", "السبب"],
  reasonHint: ["Explain why the suppression exists.", "من يقرأ الكتم لاحقًا يعرف لماذا وُضع."],
  reasonMissing: ["Enter a reason.", "اذكر السبب."],
  price: ["Impact, last 7 days", "الأثر، آخر 7 أيام"],
  priceWords: [
    "hides {hidden} of {total} matches, {alerts} alerts, {confirmed} confirmed true",
    "يُخفي {hidden} من {total} مطابقة، و{alerts} تنبيهات، منها {confirmed} مؤكدة",
  ],
  priceCapped: [
    "Only part of the logs was searched: it hides at least this much.",
    "فُحص جزء من السجلات فقط: يُخفي هذا القدر على الأقل.",
  ],
  pricing: ["Calculating impact…", "جارٍ حساب الأثر…"],
  needsCriterion: ["Enter at least one value.", "اذكر قيمة واحدة على الأقل."],
  danger: ["This would have hidden {count} confirmed as true positive.", "كان هذا سيُخفي {count} أكدها شخص."],
  understand: ["I understand that this hides confirmed attacks", "أعلم أنه يُخفي هجمات مؤكدة"],
  suppress: ["Suppress", "اكتم"],
  suppressed: ["Suppressed until {time}", "مكتوم حتى {time}"],
});
