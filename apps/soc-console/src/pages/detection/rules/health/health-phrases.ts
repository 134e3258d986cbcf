import { translations } from "../../../../app/language/translations.ts";

export const healthPhrases = translations({
  totals: ["Time of all enabled rules", "وقت كل القواعد المفعّلة"],
  ofRules: [
    { one: "# rule", other: "# rules" },
    { one: "قاعدة واحدة", two: "قاعدتان", few: "# قواعد", other: "# قاعدة" },
  ],
  ofNewest: ["the newest {shown} of {total} rules", "أحدث {shown} من {total} قاعدة"],
  explain: {
    ran: ["evaluated in time", "قُيّم في وقته"],
    late: ["not evaluated yet: the workers are behind", "لم يُقيّم بعد: العاملون متأخرون"],
    skipped: [
      "never evaluated: a run failed, or the rule was changed",
      "لم يُقيّم قط: فشل تشغيل، أو تغيّرت القاعدة أثناءه",
    ],
    capped: ["too many matches: combined into one alert", "طابق الكثير: تنبيه واحد عن الكل"],
    silent: ["the source was unexpectedly silent", "لم يرسل المصدر شيئًا مع أنه ينبغي"],
  },
  unwell: [
    { one: "# rule needs attention", other: "# rules need attention" },
    {
      one: "قاعدة واحدة تحتاج إلى نظر",
      two: "قاعدتان تحتاجان إلى نظر",
      few: "# قواعد تحتاج إلى نظر",
      other: "# قاعدة تحتاج إلى نظر",
    },
  ],
  allWell: ["All rules run", "كل القواعد تعمل"],
  allWellText: [
    "No rule has an error, and each ran at least 95 % of its time.",
    "لا خطأ في أي قاعدة، وعملت كل منها 95٪ من وقتها على الأقل.",
  ],
  noRules: ["No rule is enabled", "لا قاعدة مفعّلة"],
  noRulesText: ["Enable rules in the list, or create one.", "فعّل قواعد في القائمة أو اكتب واحدة."],
  missing: ["Gaps, last 7 days", "الناقص في آخر 7 أيام"],
  nothingMissing: [
    "No whole hour of the last 7 days has a gap: what is missing is older, or the rule is younger than an hour.",
    "لا فجوة في أي ساعة كاملة من آخر 7 أيام: الناقص أقدم، أو القاعدة أحدث من ساعة.",
  ],
  ofWhich: ["{duration} of it", "منها {duration}"],
  lastError: ["Last error", "آخر خطأ"],
});
