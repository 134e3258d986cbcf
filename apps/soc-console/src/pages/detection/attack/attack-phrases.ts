import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { CoveredSource, TechniqueState } from "./attack-client.ts";

interface AttackPhrases {
  title: string;
  matrices: string;
  enterprise: string;
  ics: string;
  matrix: string;
  technique: string;
  /** `{covered}`, `{total}` */
  covered: string;
  /** `{covered}`, `{techniques}` */
  share: string;
  tag: string;
  anyTag: string;
  filterTag: string;
  source: string;
  anySource: string;
  clearFilter: string;
  sources: Readonly<Record<CoveredSource["state"], string>>;
  silentSources: string;
  showSource: string;
  moreSources: PluralForms;
  move: string;
  foldOne: string;
  foldAll: string;
  unfoldAll: string;
  otherMatrix: string;
  close: string;
  rules: PluralForms;
  noRules: string;
  alertsIn30Days: PluralForms;
  states: Readonly<Record<TechniqueState, string>>;
  legend: string;
  legends: Readonly<Record<TechniqueState, string>>;
  darkerLegend: string;
  alertedLegend: string;
  /** `{name}` */
  subsOf: string;
  subs: string;
  tactics: string;
  rulesLabel: string;
  ranLabel: string;
  alertsLabel: string;
  hunt: string;
  noRulesText: string;
  importSigma: string;
  newRule: string;
  unknownIds: PluralForms;
  unknownTitle: string;
  unknownText: string;
  navigator: string;
  csv: string;
  print: string;
  exportLayer: string;
  exportCsv: string;
  exportFailed: string;
  noData: string;
  noDataText: string;
}

const english: AttackPhrases = {
  title: "ATT&CK",
  matrices: "Matrices",
  enterprise: "Enterprise",
  ics: "ICS",
  matrix: "Techniques by tactic",
  technique: "Technique",
  covered: "{covered} of {total} covered",
  share: "{covered} of {techniques}",
  tag: "Tag of the rules",
  anyTag: "Any tag",
  filterTag: "Filter by tag",
  source: "Source of the rules",
  anySource: "Any source",
  clearFilter: "Clear the filter",
  sources: { sending: "sending", silent: "silent", unseen: "never seen" },
  silentSources: "Sources without logs",
  showSource: "Show the rules of this source on the matrix",
  moreSources: { one: "and # more", other: "and # more" },
  move: "move",
  foldOne: "sub-techniques",
  foldAll: "Fold sub-techniques",
  unfoldAll: "Unfold sub-techniques",
  otherMatrix: "The other matrix",
  close: "Close",
  rules: { one: "# rule", other: "# rules" },
  noRules: "no rule",
  alertsIn30Days: { one: "# alert in 30 days", other: "# alerts in 30 days" },
  states: { none: "not covered", waiting: "not run yet", silent: "source silent", ran: "rules ran" },
  legend: "What the cells show",
  legends: {
    none: "No enabled rule names it.",
    waiting: "Rules exist, none has run.",
    silent: "Rules exist, their source sends nothing.",
    ran: "Rules exist and ran.",
  },
  darkerLegend: "Darker: more of them.",
  alertedLegend: "Outline: alerts in 30 days.",
  subsOf: "Sub-techniques of {name}",
  subs: "Sub-techniques",
  tactics: "Tactics",
  rulesLabel: "Rules",
  ranLabel: "Of them ran",
  alertsLabel: "Alerts",
  hunt: "Hunt",
  noRulesText: "No enabled rule detects this technique.",
  importSigma: "Import Sigma rules",
  newRule: "Write a rule",
  unknownIds: { one: "# unknown id", other: "# unknown ids" },
  unknownTitle: "Unknown ids",
  unknownText:
    "Rules name these techniques, but no matrix has them: they are revoked, newer than the data, or misspelt.",
  navigator: "Navigator",
  csv: "CSV",
  print: "Print",
  exportLayer: "Save as a layer of ATT&CK Navigator",
  exportCsv: "Save as CSV",
  exportFailed: "The layer could not be saved",
  noData: "There is no data of this matrix",
  noDataText:
    "The data of ATT&CK was replaced without it. Send the public data again with PUT /api/v1/detections/attack.",
};

const arabic: AttackPhrases = {
  title: "ATT&CK",
  matrices: "المصفوفات",
  enterprise: "المؤسسات",
  ics: "أنظمة التحكم الصناعي",
  matrix: "التقنيات حسب التكتيك",
  technique: "تقنية",
  covered: "مغطى {covered} من {total}",
  share: "{covered} من {techniques}",
  tag: "وسم القواعد",
  anyTag: "أي وسم",
  filterTag: "رشّح بالوسم",
  source: "مصدر القواعد",
  anySource: "أي مصدر",
  clearFilter: "امسح المرشّح",
  sources: { sending: "يرسل", silent: "صامت", unseen: "لم يُرَ قط" },
  silentSources: "مصادر بلا سجلات",
  showSource: "اعرض قواعد هذا المصدر على المصفوفة",
  moreSources: { one: "و# آخر", other: "و# أخرى" },
  move: "تنقّل",
  foldOne: "التقنيات الفرعية",
  foldAll: "اطوِ التقنيات الفرعية",
  unfoldAll: "افتح التقنيات الفرعية",
  otherMatrix: "المصفوفة الأخرى",
  close: "إغلاق",
  rules: { zero: "لا قواعد", one: "قاعدة واحدة", two: "قاعدتان", few: "# قواعد", other: "# قاعدة" },
  noRules: "بلا قاعدة",
  alertsIn30Days: {
    zero: "لا تنبيهات في 30 يومًا",
    one: "تنبيه واحد في 30 يومًا",
    two: "تنبيهان في 30 يومًا",
    few: "# تنبيهات في 30 يومًا",
    other: "# تنبيهًا في 30 يومًا",
  },
  states: { none: "غير مغطاة", waiting: "لم تُشغَّل بعد", silent: "المصدر صامت", ran: "شُغّلت قواعد" },
  legend: "ما تعنيه الخلايا",
  legends: {
    none: "لا تذكرها أي قاعدة مفعّلة.",
    waiting: "توجد قواعد، ولم تُشغَّل أي منها.",
    silent: "توجد قواعد، ومصدرها لا يرسل شيئًا.",
    ran: "توجد قواعد وشُغّلت.",
  },
  darkerLegend: "أغمق: قواعد أكثر.",
  alertedLegend: "الإطار: تنبيهات في 30 يومًا.",
  subsOf: "التقنيات الفرعية لـ {name}",
  subs: "التقنيات الفرعية",
  tactics: "التكتيكات",
  rulesLabel: "القواعد",
  ranLabel: "شُغّل منها",
  alertsLabel: "التنبيهات",
  hunt: "ابحث في السجلات",
  noRulesText: "لا تكشف أي قاعدة مفعّلة هذه التقنية.",
  importSigma: "استورد قواعد Sigma",
  newRule: "اكتب قاعدة",
  unknownIds: {
    one: "معرّف واحد غير معروف",
    two: "معرّفان غير معروفين",
    few: "# معرّفات غير معروفة",
    other: "# معرّفًا غير معروف",
  },
  unknownTitle: "معرّفات غير معروفة",
  unknownText: "تذكر القواعد هذه التقنيات ولا توجد في أي مصفوفة: أُلغيت، أو هي أحدث من البيانات، أو فيها خطأ إملائي.",
  navigator: "Navigator",
  csv: "CSV",
  print: "اطبع",
  exportLayer: "احفظ طبقةً لبرنامج ATT&CK Navigator",
  exportCsv: "احفظ ملف CSV",
  exportFailed: "تعذر حفظ الطبقة",
  noData: "لا توجد بيانات لهذه المصفوفة",
  noDataText: "استُبدلت بيانات ATT&CK من دونها. أرسل البيانات العامة من جديد عبر PUT /api/v1/detections/attack.",
};

export const attackPhrases: Translations<AttackPhrases> = { en: english, ar: arabic };
