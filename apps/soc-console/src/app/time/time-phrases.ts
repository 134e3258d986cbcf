import { translations } from "../language/translations.ts";

export const timePhrases = translations({
  range: ["Time range", "المدى الزمني"],
  last: {
    s: [
      { one: "Last second", other: "Last # seconds" },
      { one: "آخر ثانية", two: "آخر ثانيتين", few: "آخر # ثوانٍ", other: "آخر # ثانية" },
    ],
    m: [
      { one: "Last minute", other: "Last # minutes" },
      { one: "آخر دقيقة", two: "آخر دقيقتين", few: "آخر # دقائق", other: "آخر # دقيقة" },
    ],
    h: [
      { one: "Last hour", other: "Last # hours" },
      { one: "آخر ساعة", two: "آخر ساعتين", few: "آخر # ساعات", other: "آخر # ساعة" },
    ],
    d: [
      { one: "Last day", other: "Last # days" },
      { one: "آخر يوم", two: "آخر يومين", few: "آخر # أيام", other: "آخر # يومًا" },
    ],
    w: [
      { one: "Last week", other: "Last # weeks" },
      { one: "آخر أسبوع", two: "آخر أسبوعين", few: "آخر # أسابيع", other: "آخر # أسبوعًا" },
    ],
  },
  between: ["{from} to {to}", "من {from} إلى {to}"],
  since: ["Since {from}", "منذ {from}"],
  text: ["As text", "كنص"],
  textHint: ["-15m, 8:00..10:00, 2026-11-17", "-15m, 8:00..10:00, 2026-11-17"],
  notARange: [
    "This is not a range. Write -24h, 8:00..10:00 or a day such as 2026-11-17.",
    "هذا ليس مدى زمنيًا. اكتب ‎-24h أو ‎8:00..10:00 أو يومًا مثل ‎2026-11-17.",
  ],
  from: ["From", "من"],
  to: ["To", "إلى"],
  endsFirst: ["The range ends before it starts.", "ينتهي المدى قبل أن يبدأ."],
  apply: ["Apply", "تطبيق"],
  presets: ["Until now", "حتى الآن"],
});
