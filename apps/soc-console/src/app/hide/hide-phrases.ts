import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  cancel: "Cancel",
  close: "Close",
  previewed: "Preview: nothing was changed",
  suppressTitle: "Suppress",
  suppressText:
    "Until it expires, matches of this rule with all of these values raise no alert. They are still recorded.",
  criteria: "Criteria",
  removeCriterion: "Remove {name}",
  addCriterion: "Add a field",
  value: "Value",
  add: "Add",
  ends: "Expires in",
  endsIn: {
    hours: { one: "# hour", other: "# hours" },
    days: { one: "# day", other: "# days" },
  },
  reason: "Reason",
  reasonHint: "Explain why the suppression exists.",
  reasonMissing: "Enter a reason.",
  price: "Impact, last 7 days",
  priceWords: "hides {hidden} of {total} matches, {alerts} alerts, {confirmed} confirmed true",
  priceCapped: "Only part of the logs was searched: it hides at least this much.",
  pricing: "Calculating impact…",
  needsCriterion: "Enter at least one value.",
  danger: "This would have hidden {count} confirmed as true positive.",
  understand: "I understand that this hides confirmed attacks",
  suppress: "Suppress",
  suppressed: "Suppressed until {time}",
};

const arabic: Phrases<typeof english> = {
  cancel: "إلغاء",
  close: "أغلق",
  previewed: "معاينة: لم يتغير شيء",
  suppressTitle: "اكتم",
  suppressText: "مطابقات هذه القاعدة بكل هذه القيم لا تُنشئ تنبيهًا حتى النهاية، وتبقى مسجلة.",
  criteria: "المعايير",
  removeCriterion: "أزل {name}",
  addCriterion: "أضف حقلًا",
  value: "القيمة",
  add: "أضف",
  ends: "ينتهي بعد",
  endsIn: {
    hours: { one: "ساعة", two: "ساعتين", few: "# ساعات", other: "# ساعة" },
    days: { one: "يوم", two: "يومين", few: "# أيام", other: "# يومًا" },
  },
  reason: "السبب",
  reasonHint: "من يقرأ الكتم لاحقًا يعرف لماذا وُضع.",
  reasonMissing: "اذكر السبب.",
  price: "الأثر، آخر 7 أيام",
  priceWords: "يُخفي {hidden} من {total} مطابقة، و{alerts} تنبيهات، منها {confirmed} مؤكدة",
  priceCapped: "فُحص جزء من السجلات فقط: يُخفي هذا القدر على الأقل.",
  pricing: "جارٍ حساب الأثر…",
  needsCriterion: "اذكر قيمة واحدة على الأقل.",
  danger: "كان هذا سيُخفي {count} أكدها شخص.",
  understand: "أعلم أنه يُخفي هجمات مؤكدة",
  suppress: "اكتم",
  suppressed: "مكتوم حتى {time}",
};

/** Words of what hides matches: suppressions and exceptions. */
export const hidePhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
