import type { Phrases, Translations } from "../../../../app/language/translations.ts";

const english = {
  totals: "Time of all enabled rules",
  ofRules: { one: "# rule", other: "# rules" },
  ofNewest: "the newest {shown} of {total} rules",
  explain: {
    ran: "evaluated in time",
    late: "not evaluated yet: the workers are behind",
    skipped: "never evaluated: a run failed, or the rule was changed",
    capped: "too many matches: combined into one alert",
    silent: "the source was unexpectedly silent",
  },
  unwell: { one: "# rule needs attention", other: "# rules need attention" },
  allWell: "All rules run",
  allWellText: "No rule has an error, and each ran at least 95 % of its time.",
  noRules: "No rule is enabled",
  noRulesText: "Enable rules in the list, or create one.",
  missing: "Gaps, last 7 days",
  nothingMissing:
    "No whole hour of the last 7 days has a gap: what is missing is older, or the rule is younger than an hour.",
  ofWhich: "{duration} of it",
  lastError: "Last error",
};

const arabic: Phrases<typeof english> = {
  totals: "وقت كل القواعد المفعّلة",
  ofRules: { one: "قاعدة واحدة", two: "قاعدتان", few: "# قواعد", other: "# قاعدة" },
  ofNewest: "أحدث {shown} من {total} قاعدة",
  explain: {
    ran: "قُيّم في وقته",
    late: "لم يُقيّم بعد: العاملون متأخرون",
    skipped: "لم يُقيّم قط: فشل تشغيل، أو تغيّرت القاعدة أثناءه",
    capped: "طابق الكثير: تنبيه واحد عن الكل",
    silent: "لم يرسل المصدر شيئًا مع أنه ينبغي",
  },
  unwell: {
    one: "قاعدة واحدة تحتاج إلى نظر",
    two: "قاعدتان تحتاجان إلى نظر",
    few: "# قواعد تحتاج إلى نظر",
    other: "# قاعدة تحتاج إلى نظر",
  },
  allWell: "كل القواعد تعمل",
  allWellText: "لا خطأ في أي قاعدة، وعملت كل منها 95٪ من وقتها على الأقل.",
  noRules: "لا قاعدة مفعّلة",
  noRulesText: "فعّل قواعد في القائمة أو اكتب واحدة.",
  missing: "الناقص في آخر 7 أيام",
  nothingMissing: "لا فجوة في أي ساعة كاملة من آخر 7 أيام: الناقص أقدم، أو القاعدة أحدث من ساعة.",
  ofWhich: "منها {duration}",
  lastError: "آخر خطأ",
};

export const healthPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
