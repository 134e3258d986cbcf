import type { Phrases, Translations } from "../../../app/language/translations.ts";

export type NeedName = "alerts" | "approvals" | "cases" | "devices" | "sources" | "force";

const english = {
  title: "Needs attention",
  leave: "leave the wall view",
  group: "Wall",
  needs: {
    alerts: { one: "critical alert without an owner", other: "critical alerts without an owner" },
    approvals: { one: "approval pending", other: "approvals pending" },
    cases: { one: "case is overdue", other: "cases are overdue" },
    devices: { one: "device is untrusted", other: "devices are untrusted" },
    sources: { one: "source is silent", other: "sources are silent" },
    force: { one: "host isolated", other: "hosts isolated" },
  },
  none: {
    alerts: "Every critical alert has an owner",
    approvals: "No approvals pending",
    cases: "No case is overdue",
    devices: "No device is untrusted",
    sources: "No source is silent",
    force: "No host is isolated",
  },
  ends: "ends in {time}",
  overdue: "since {time}",
  silent: "for {time}",
  until: "until {time}",
  endless: "no expiry",
  more: { one: "and # more", other: "and # more" },
  notRead: "could not be read",
  asOf: "as of {time}",
  modes: { dummy: "DUMMY", dry_run: "DRY RUN", real: "REAL" },
  meanings: {
    dummy: "invented data",
    dry_run: "changes are previews",
    real: "changes are real",
  },
  showcase: "showcase data",
  live: "live",
  connecting: "connecting",
  off: "not live",
  unreachable: "The service does not answer",
  databaseLost: "The database does not answer. As of {time}",
};

const arabic: Phrases<typeof english> = {
  title: "ما يحتاج إلى الناس الآن",
  leave: "غادر شاشة العرض",
  group: "شاشة العرض",
  needs: {
    alerts: { one: "تنبيه حرج بلا مسؤول", other: "تنبيهات حرجة بلا مسؤول" },
    approvals: { one: "طلب موافقة ينتظر", other: "طلبات موافقة تنتظر" },
    cases: { one: "قضية متأخرة", other: "قضايا متأخرة" },
    devices: { one: "جهاز غير موثوق", other: "أجهزة غير موثوقة" },
    sources: { one: "مصدر صامت", other: "مصادر صامتة" },
    force: { one: "عزل سارٍ", other: "حالات عزل سارية" },
  },
  none: {
    alerts: "لكل تنبيه حرج مسؤول",
    approvals: "لا طلب موافقة ينتظر",
    cases: "لا قضية متأخرة",
    devices: "لا جهاز غير موثوق",
    sources: "لا مصدر صامت",
    force: "لا شيء سارٍ",
  },
  ends: "ينتهي بعد {time}",
  overdue: "منذ {time}",
  silent: "منذ {time}",
  until: "حتى {time}",
  endless: "بلا نهاية",
  more: { one: "و# أخرى", other: "و# أخرى" },
  notRead: "تعذّرت قراءته",
  asOf: "كما كان {time}",
  modes: { dummy: "تجريبي", dry_run: "تشغيل جاف", real: "حقيقي" },
  meanings: {
    dummy: "بيانات مختلقة",
    dry_run: "التغييرات معاينات",
    real: "التغييرات حقيقية",
  },
  showcase: "بيانات عرض",
  live: "مباشر",
  connecting: "جارٍ الاتصال",
  off: "غير مباشر",
  unreachable: "الخدمة لا تستجيب",
  databaseLost: "قاعدة البيانات لا تستجيب. كما كان {time}",
};

export const wallPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
