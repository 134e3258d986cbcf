import { translations } from "../../../app/language/translations.ts";

export type NeedName = "alerts" | "approvals" | "cases" | "devices" | "sources" | "force";

export const wallPhrases = translations({
  title: ["Needs attention", "ما يحتاج إلى الناس الآن"],
  leave: ["leave the wall view", "غادر شاشة العرض"],
  group: ["Wall", "شاشة العرض"],
  needs: {
    alerts: [
      { one: "alert needs attention", other: "alerts need attention" },
      { one: "تنبيه يحتاج إلى متابعة", other: "تنبيهات تحتاج إلى متابعة" },
    ],
    approvals: [
      { one: "approval pending", other: "approvals pending" },
      { one: "طلب موافقة ينتظر", other: "طلبات موافقة تنتظر" },
    ],
    cases: [
      { one: "case is overdue or unassigned", other: "cases are overdue or unassigned" },
      { one: "قضية متأخرة أو بلا مسؤول", other: "قضايا متأخرة أو بلا مسؤول" },
    ],
    devices: [
      { one: "device is untrusted", other: "devices are untrusted" },
      { one: "جهاز غير موثوق", other: "أجهزة غير موثوقة" },
    ],
    sources: [
      { one: "source is silent", other: "sources are silent" },
      { one: "مصدر صامت", other: "مصادر صامتة" },
    ],
    force: [
      { one: "host isolated", other: "hosts isolated" },
      { one: "عزل سارٍ", other: "حالات عزل سارية" },
    ],
  },
  none: {
    alerts: ["No alert needs attention", "لا تنبيه يحتاج إلى متابعة"],
    approvals: ["No approvals pending", "لا طلب موافقة ينتظر"],
    cases: ["No case is overdue or unassigned", "لا قضية متأخرة أو بلا مسؤول"],
    devices: ["No device is untrusted", "لا جهاز غير موثوق"],
    sources: ["No source is silent", "لا مصدر صامت"],
    force: ["No host is isolated", "لا شيء سارٍ"],
  },
  noneOfSome: ["None of those that were read", "لا شيء بين ما قُرئ"],
  subjects: {
    alerts: ["Alerts", "التنبيهات"],
    approvals: ["Approvals", "الموافقات"],
    cases: ["Cases", "القضايا"],
    devices: ["Devices", "الأجهزة"],
    sources: ["Sources", "المصادر"],
    force: ["Isolated hosts", "مضيفون معزولون"],
  },
  reading: ["Loading…", "جارٍ التحميل…"],
  unassigned: ["unassigned", "بلا مسؤول"],
  ends: ["ends in {time}", "ينتهي بعد {time}"],
  overdue: ["since {time}", "منذ {time}"],
  silent: ["for {time}", "منذ {time}"],
  until: ["until {time}", "حتى {time}"],
  endless: ["no expiry", "بلا نهاية"],
  more: [
    { one: "and # more", other: "and # more" },
    { one: "و# أخرى", other: "و# أخرى" },
  ],
  notRead: ["could not be read", "تعذّرت قراءته"],
  asOf: ["as of {time}", "كما كان {time}"],
  modes: {
    dummy: ["DUMMY", "تجريبي"],
    dry_run: ["DRY RUN", "تشغيل جاف"],
    real: ["REAL", "حقيقي"],
  },
  meanings: {
    dummy: ["invented data", "بيانات مختلقة"],
    dry_run: ["changes are previews", "التغييرات معاينات"],
    real: ["changes are real", "التغييرات حقيقية"],
  },
  showcase: ["showcase data", "بيانات عرض"],
  live: ["live", "مباشر"],
  connecting: ["connecting", "جارٍ الاتصال"],
  off: ["not live", "غير مباشر"],
  unreachable: ["The service does not answer", "الخدمة لا تستجيب"],
  databaseLost: ["The database does not answer. As of {time}", "قاعدة البيانات لا تستجيب. كما كان {time}"],
});
