import type { Translations } from "../../../app/language/translations.ts";

interface EntitiesPhrases {
  kinds: Record<"host" | "user" | "ip" | "hash" | "domain", string>;
  levels: Record<"none" | "low" | "medium" | "high" | "critical" | "info", string>;
  unknownKind: string;
  unknownKindText: string;
  failed: string;
  retry: string;
  partial: string;
  hunt: string;
  facts: string;
  value: string;
  aliases: string;
  firstSeen: string;
  lastSeen: string;
  endpoint: string;
  device: string;
  indicators: string;
  risk: string;
  noRisk: string;
  /** `{points}`, `{decayed}` */
  decayed: string;
  alerts: string;
  noAlerts: string;
  cases: string;
  noCases: string;
  logs: string;
  noLogs: string;
  sampled: string;
  topSources: string;
  topActions: string;
  related: string;
  noRelated: string;
  showGraph: string;
  graph: string;
  graphFailed: string;
  graphPartial: string;
}

const english: EntitiesPhrases = {
  kinds: { host: "Host", user: "User", ip: "Address", hash: "Hash", domain: "Domain" },
  levels: { none: "None", low: "Low", medium: "Medium", high: "High", critical: "Critical", info: "Info" },
  unknownKind: "There is no such kind of entity",
  unknownKindText: "An address names a host, user, ip, hash or domain, and its value.",
  failed: "The entity could not be read",
  retry: "Try again",
  partial: "Some parts took too long and are missing:",
  hunt: "Hunt its logs",
  facts: "Facts",
  value: "Value",
  aliases: "Also",
  firstSeen: "First seen",
  lastSeen: "Last seen",
  endpoint: "Endpoint",
  device: "Device",
  indicators: "Indicators",
  risk: "Risk",
  noRisk: "Nothing counts against it now.",
  decayed: "{points} points when it was seen, {decayed} now",
  alerts: "Alerts of 30 days",
  noAlerts: "No alert names it.",
  cases: "Cases",
  noCases: "No case has it.",
  logs: "Logs of 24 hours",
  noLogs: "No log of the last 24 hours names it.",
  sampled: "Bars and frequent values are of the newest 200 logs.",
  topSources: "Sources",
  topActions: "Actions",
  related: "Seen together",
  noRelated: "No alert names it together with another entity.",
  showGraph: "Draw the connections",
  graph: "Connections by alerts",
  graphFailed: "The connections could not be read",
  graphPartial: "There are more connections than are drawn.",
};

const arabic: EntitiesPhrases = {
  kinds: { host: "مضيف", user: "مستخدم", ip: "عنوان", hash: "بصمة", domain: "نطاق" },
  levels: { none: "لا شيء", low: "منخفضة", medium: "متوسطة", high: "عالية", critical: "حرجة", info: "معلومة" },
  unknownKind: "لا يوجد نوع كهذا",
  unknownKindText: "يذكر العنوان host أو user أو ip أو hash أو domain مع القيمة.",
  failed: "تعذّرت القراءة",
  retry: "أعد المحاولة",
  partial: "تأخرت بعض الأجزاء فهي ناقصة:",
  hunt: "ابحث في سجلاته",
  facts: "الحقائق",
  value: "القيمة",
  aliases: "وأيضًا",
  firstSeen: "أول ظهور",
  lastSeen: "آخر ظهور",
  endpoint: "نقطة طرفية",
  device: "جهاز",
  indicators: "المؤشرات",
  risk: "المخاطرة",
  noRisk: "لا شيء يُحسب عليه الآن.",
  decayed: "{points} نقطة حين شوهد، و{decayed} الآن",
  alerts: "تنبيهات 30 يومًا",
  noAlerts: "لا تنبيه يذكره.",
  cases: "القضايا",
  noCases: "ليس في أي قضية.",
  logs: "سجلات 24 ساعة",
  noLogs: "لا سجل في آخر 24 ساعة يذكره.",
  sampled: "الأعمدة والقيم الشائعة من أحدث 200 سجل.",
  topSources: "المصادر",
  topActions: "الأفعال",
  related: "يظهر معه",
  noRelated: "لا تنبيه يذكره مع غيره.",
  showGraph: "ارسم الصلات",
  graph: "الصلات عبر التنبيهات",
  graphFailed: "تعذّرت قراءة الصلات",
  graphPartial: "هناك صلات أكثر مما رُسم.",
};

export const entitiesPhrases: Translations<EntitiesPhrases> = { en: english, ar: arabic };
