import { translations } from "../../../app/language/translations.ts";

export const correlationsPhrases = translations({
  title: ["Correlations", "الارتباطات"],
  group: ["Correlation", "ارتباط"],
  back: ["Devices", "الأجهزة"],
  columns: {
    severity: ["Severity", "الخطورة"],
    reason: ["Correlation and reason", "ما يتصل ببعضه، ولماذا"],
    members: ["Records", "السجلات"],
    shared: ["Shared", "المشترك"],
    last: ["Last", "الأخير"],
    case: ["Case", "القضية"],
  },
  severities: {
    critical: ["critical", "حرج"],
    high: ["high", "مرتفع"],
    medium: ["medium", "متوسط"],
    low: ["low", "منخفض"],
    info: ["info", "معلومة"],
  },
  anySeverity: ["Any severity", "أي خطورة"],
  entities: {
    device: ["device", "جهاز"],
    host: ["host", "مضيف"],
    user: ["user", "مستخدم"],
    address: ["address", "عنوان"],
    hash: ["hash", "بصمة"],
    ioc: ["indicator", "مؤشر"],
  },
  members: [
    { one: "# record", other: "# records" },
    { one: "سجل واحد", two: "سجلان", few: "# سجلات", other: "# سجلًا" },
  ],
  kinds: {
    alert: ["Alert", "تنبيه"],
    attestation: ["Attestation", "مصادقة"],
  },
  strength: ["Strongest link: {score} of 100.", "أقوى صلة تساوي {score} من 100."],
  span: ["From {from} to {to}.", "من {from} إلى {to}."],
  shared: ["Shared values", "ما تشترك فيه"],
  together: ["Correlated records", "ما يتصل ببعضه"],
  newestOnly: ["The newest 50 are shown.", "تظهر أحدث 50."],
  first: ["the first of them", "أولها"],
  logs: [
    { one: "# log behind its alerts", other: "# logs behind its alerts" },
    {
      one: "سجل واحد وراء تنبيهاتها",
      two: "سجلان وراء تنبيهاتها",
      few: "# سجلات وراء تنبيهاتها",
      other: "# سجلًا وراء تنبيهاتها",
    },
  ],
  makeCase: ["Create case", "أنشئ قضية"],
  previewCase: ["Preview the case", "عاين القضية"],
  caseMade: ["The alerts are linked to the case.", "في القضية هذه التنبيهات."],
  hasCase: ["Case", "القضية"],
  forDevice: ["Of one device", "لجهاز واحد"],
  empty: ["No correlations", "لا شيء يتصل ببعضه الآن"],
  emptyText: [
    "The worker compares each new alert, and each attestation that is untrusted or failed, with those of a day around it.",
    "يقارن العامل كل تنبيه جديد، وكل مصادقة غير موثوقة أو فاشلة، بما حولها في يوم.",
  ],
});
