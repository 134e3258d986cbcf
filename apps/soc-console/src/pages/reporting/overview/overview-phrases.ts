import { translations } from "../../../app/language/translations.ts";

export const overviewPhrases = translations({
  title: ["Overview", "نظرة عامة"],
  greetings: {
    morning: ["Good morning, {name}", "صباح الخير، {name}"],
    day: ["Good afternoon, {name}", "طاب يومك، {name}"],
    evening: ["Good evening, {name}", "مساء الخير، {name}"],
  },
  needsYou: ["Needs you", "بانتظارك"],
  needsUnread: [
    "Some of this could not be read, so the list may be incomplete.",
    "تعذّرت قراءة جزء من هذا، فقد تكون القائمة ناقصة.",
  ],
  alertsWait: [
    { one: "# alert needs attention", other: "# alerts need attention" },
    {
      one: "تنبيه واحد يحتاج إلى متابعة",
      two: "تنبيهان يحتاجان إلى متابعة",
      few: "# تنبيهات تحتاج إلى متابعة",
      other: "# تنبيهًا يحتاج إلى متابعة",
    },
  ],
  casesWait: [
    { one: "# open case has no assignee", other: "# open cases have no assignee" },
    {
      one: "قضية مفتوحة واحدة دون مكلَّف",
      two: "قضيتان مفتوحتان دون مكلَّف",
      few: "# قضايا مفتوحة دون مكلَّف",
      other: "# قضية مفتوحة دون مكلَّف",
    },
  ],
  approvals: [
    { one: "# approval pending", other: "# approvals pending" },
    { one: "موافقة واحدة تنتظر", two: "موافقتان تنتظران", few: "# موافقات تنتظر", other: "# موافقة تنتظر" },
  ],
  firstEnds: ["the first ends {time}", "تنتهي الأولى {time}"],
  due: [
    { one: "# of your cases is due today", other: "# of your cases are due today" },
    {
      one: "قضية واحدة لك تستحق اليوم",
      two: "قضيتان لك تستحقان اليوم",
      few: "# قضايا لك تستحق اليوم",
      other: "# قضية لك تستحق اليوم",
    },
  ],
  overdue: [
    { one: "# is overdue", other: "# are overdue" },
    { one: "واحدة متأخرة", two: "اثنتان متأخرتان", other: "# متأخرة" },
  ],
  mine: [
    { one: "# open case is yours", other: "# open cases are yours" },
    { one: "قضية مفتوحة واحدة لك", two: "قضيتان مفتوحتان لك", few: "# قضايا مفتوحة لك", other: "# قضية مفتوحة لك" },
  ],
  untrusted: [
    { one: "# device is untrusted", other: "# devices are untrusted" },
    { one: "جهاز واحد غير موثوق", two: "جهازان غير موثوقين", few: "# أجهزة غير موثوقة", other: "# جهازًا غير موثوق" },
  ],
  comma: [", ", "، "],
  nothing: ["Nothing needs your attention.", "لا شيء بانتظارك الآن."],
  alerts: ["Alerts by time", "التنبيهات عبر الزمن"],
  alertsTotal: [
    { one: "# alert", other: "# alerts" },
    { one: "تنبيه واحد", two: "تنبيهان", few: "# تنبيهات", other: "# تنبيهًا" },
  ],
  mtta: ["MTTA", "متوسط الاستلام"],
  mttr: ["MTTR", "متوسط الحل"],
  meanHint: [
    "Mean time to acknowledge and to resolve, over the alerts of 30 days",
    "متوسط الوقت حتى الاستلام وحتى الحل، لتنبيهات 30 يومًا",
  ],
  newToday: [
    { one: "# new in 24 h", other: "# new in 24 h" },
    { one: "جديد واحد خلال 24 ساعة", two: "جديدان خلال 24 ساعة", other: "# جديدة خلال 24 ساعة" },
  ],
  ruleTime: ["Rule time, 24 h", "وقت القواعد، 24 ساعة"],
  unwell: [
    { one: "# rule needs attention", other: "# rules need attention" },
    {
      one: "قاعدة واحدة تحتاج إلى نظر",
      two: "قاعدتان تحتاجان إلى نظر",
      few: "# قواعد تحتاج إلى نظر",
      other: "# قاعدة تحتاج إلى نظر",
    },
  ],
  allWell: ["All rules run.", "كل القواعد تعمل."],
  noRules: [
    "No rule is enabled. Import Sigma rules, or write one.",
    "لا قاعدة مفعّلة. استورد قواعد Sigma أو اكتب واحدة.",
  ],
  someRules: [
    { one: "of the newest # rule", other: "of the newest # rules" },
    { one: "من أحدث قاعدة", other: "من أحدث # قاعدة" },
  ],
  inForce: ["Active isolations", "ما زال ساريًا"],
  noneInForce: ["No endpoint is isolated.", "لا جهاز معزول."],
  until: ["until {time}", "حتى {time}"],
  endless: ["until released", "حتى إلغاء العزل"],
  release: ["Release", "أفرج"],
  previewRelease: ["Preview release", "معاينة الإفراج"],
  released: ["{host}: release requested", "{host}: طُلب الإفراج"],
  releaseWaits: ["{host}: the release waits for an approval", "{host}: ينتظر الإفراج موافقة"],
  releasePreview: ["Preview: {host} would be released. Nothing was sent.", "معاينة: سيُفرج عن {host}. لم يُرسل شيء."],
  sources: ["Sources", "المصادر"],
  silent: ["silent for {time}", "صامت منذ {time}"],
  events: [
    { one: "# event", other: "# events" },
    { one: "حدث واحد", two: "حدثان", few: "# أحداث", other: "# حدثًا" },
  ],
  lastSeen: ["last {time}", "آخرها {time}"],
  noSources: [
    "No source has sent a log yet. Point one at the intake.",
    "لم يرسل أي مصدر سجلًا بعد. وجّه مصدرًا إلى الاستقبال.",
  ],
  cases: ["Recent cases", "أحدث القضايا"],
  noCases: ["No case is open.", "لا قضية مفتوحة."],
  failed: ["Failed to load", "تعذرت قراءة هذا الجزء"],
  retry: ["Try again", "حاول مرة أخرى"],
  inDummy: ["Dummy mode: changes are refused.", "المنصة في وضع العرض: التغييرات مرفوضة."],
  asOf: ["as of {time}", "كما كان {time}"],
  range: ["Time range", "المدى الزمني"],
  zone: ["Time zone", "المنطقة الزمنية"],
  severities: {
    critical: ["Critical", "حرج"],
    high: ["High", "مرتفع"],
    medium: ["Medium", "متوسط"],
    low: ["Low", "منخفض"],
    info: ["Info", "معلومة"],
  },
  goTo: ["Overview: open", "نظرة عامة: افتح"],
  wall: ["Wall view", "شاشة العرض"],
  wallHint: ["Pending work, for a screen in the SOC", "ما يحتاج إلى الناس الآن، لشاشة في الغرفة"],
  all: ["All alerts", "كل التنبيهات"],
});
