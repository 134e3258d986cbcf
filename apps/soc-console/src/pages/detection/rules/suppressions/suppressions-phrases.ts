import { translations } from "../../../../app/language/translations.ts";

export const suppressionsPhrases = translations({
  suppressions: ["Suppressions", "الكتم"],
  name: ["Name", "الاسم"],
  criteria: ["Criteria", "المعايير"],
  by: ["By", "بواسطة"],
  ends: ["Expires", "ينتهي"],
  ended: ["expired", "انتهى"],
  hours: [
    { one: "# hour", other: "# hours" },
    { one: "ساعة", two: "ساعتان", few: "# ساعات", other: "# ساعة" },
  ],
  length: ["Length", "المدة"],
  reason: ["Reason", "السبب"],
  rule: ["Rule", "القاعدة"],
  created: ["Since", "منذ"],
  endNow: ["Expire now", "أنهِ الآن"],
  extend: ["Extend…", "مدّد…"],
  endedNotice: ["Expired: matches raise alerts again", "انتهى: تُنشئ المطابقات تنبيهات من جديد"],
  endTitle: ["Expire this suppression", "أنهِ هذا الكتم"],
  endText: [
    "Its matches raise alerts again from now on. The suppression stays in the list.",
    "من الآن تُنشئ مطابقاته تنبيهات من جديد، ويبقى في القائمة.",
  ],
  none: ["No suppressions", "لا كتم"],
  noneText: [
    "Create one from an alert or from the page of a rule. Its impact is shown first.",
    "اكتم من تنبيه أو من صفحة قاعدة. يذكر كل كتم أولًا ما يخفيه.",
  ],
  active: ["Active", "السارية"],
  all: ["All", "الكل"],
  view: ["Which suppressions", "أي كتم"],
  search: ["Search in names and reasons", "ابحث في الأسماء والأسباب"],
  cancel: ["Cancel", "إلغاء"],
});
