import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  range: "Time range",
  last: {
    s: { one: "Last second", other: "Last # seconds" },
    m: { one: "Last minute", other: "Last # minutes" },
    h: { one: "Last hour", other: "Last # hours" },
    d: { one: "Last day", other: "Last # days" },
    w: { one: "Last week", other: "Last # weeks" },
  },
  between: "{from} to {to}",
  since: "Since {from}",
  text: "As text",
  textHint: "-15m, 8:00..10:00, 2026-11-17",
  notARange: "This is not a range. Write -24h, 8:00..10:00 or a day such as 2026-11-17.",
  from: "From",
  to: "To",
  endsFirst: "The range ends before it starts.",
  apply: "Apply",
  presets: "Until now",
};

const arabic: Phrases<typeof english> = {
  range: "المدى الزمني",
  last: {
    s: { one: "آخر ثانية", two: "آخر ثانيتين", few: "آخر # ثوانٍ", other: "آخر # ثانية" },
    m: { one: "آخر دقيقة", two: "آخر دقيقتين", few: "آخر # دقائق", other: "آخر # دقيقة" },
    h: { one: "آخر ساعة", two: "آخر ساعتين", few: "آخر # ساعات", other: "آخر # ساعة" },
    d: { one: "آخر يوم", two: "آخر يومين", few: "آخر # أيام", other: "آخر # يومًا" },
    w: { one: "آخر أسبوع", two: "آخر أسبوعين", few: "آخر # أسابيع", other: "آخر # أسبوعًا" },
  },
  between: "من {from} إلى {to}",
  since: "منذ {from}",
  text: "كنص",
  textHint: "-15m, 8:00..10:00, 2026-11-17",
  notARange: "هذا ليس مدى زمنيًا. اكتب ‎-24h أو ‎8:00..10:00 أو يومًا مثل ‎2026-11-17.",
  from: "من",
  to: "إلى",
  endsFirst: "ينتهي المدى قبل أن يبدأ.",
  apply: "تطبيق",
  presets: "حتى الآن",
};

export const timePhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
