import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { Severity } from "../../../design/severity.tsx";
import type { Entity, Member } from "./correlations-client.ts";

export interface CorrelationsPhrases {
  title: string;
  group: string;
  back: string;
  columns: { severity: string; reason: string; members: string; shared: string; last: string; case: string };
  severities: Readonly<Record<Severity, string>>;
  anySeverity: string;
  entities: Readonly<Record<Entity["kind"], string>>;
  members: PluralForms;
  kinds: Readonly<Record<Member["kind"], string>>;
  /** `{score}` */
  strength: string;
  /** `{from}`, `{to}` */
  span: string;
  shared: string;
  together: string;
  newestOnly: string;
  first: string;
  logs: PluralForms;
  makeCase: string;
  previewCase: string;
  caseMade: string;
  hasCase: string;
  forDevice: string;
  empty: string;
  emptyText: string;
}

export const correlationsPhrases: Translations<CorrelationsPhrases> = {
  en: {
    title: "Correlations",
    group: "Correlation",
    back: "Devices",
    columns: {
      severity: "Severity",
      reason: "What belongs together, and why",
      members: "Records",
      shared: "Shared",
      last: "Last",
      case: "Case",
    },
    severities: { critical: "critical", high: "high", medium: "medium", low: "low", info: "info" },
    anySeverity: "Any severity",
    entities: {
      device: "device",
      host: "host",
      user: "user",
      address: "address",
      hash: "hash",
      ioc: "indicator",
    },
    members: { one: "# record", other: "# records" },
    kinds: { alert: "Alert", attestation: "Attestation" },
    strength: "The strongest link counts {score} of 100.",
    span: "From {from} to {to}.",
    shared: "What they share",
    together: "What belongs together",
    newestOnly: "The newest 50 are shown.",
    first: "the first of them",
    logs: { one: "# log behind its alerts", other: "# logs behind its alerts" },
    makeCase: "Make a case",
    previewCase: "Preview the case",
    caseMade: "The case has these alerts.",
    hasCase: "Case",
    forDevice: "Of one device",
    empty: "Nothing belongs together now",
    emptyText:
      "The worker compares each new alert, and each attestation that is untrusted or failed, with those of a day around it.",
  },
  ar: {
    title: "الارتباطات",
    group: "ارتباط",
    back: "الأجهزة",
    columns: {
      severity: "الخطورة",
      reason: "ما يتصل ببعضه، ولماذا",
      members: "السجلات",
      shared: "المشترك",
      last: "الأخير",
      case: "القضية",
    },
    severities: { critical: "حرج", high: "مرتفع", medium: "متوسط", low: "منخفض", info: "معلومة" },
    anySeverity: "أي خطورة",
    entities: {
      device: "جهاز",
      host: "مضيف",
      user: "مستخدم",
      address: "عنوان",
      hash: "بصمة",
      ioc: "مؤشر",
    },
    members: { one: "سجل واحد", two: "سجلان", few: "# سجلات", other: "# سجلًا" },
    kinds: { alert: "تنبيه", attestation: "مصادقة" },
    strength: "أقوى صلة تساوي {score} من 100.",
    span: "من {from} إلى {to}.",
    shared: "ما تشترك فيه",
    together: "ما يتصل ببعضه",
    newestOnly: "تظهر أحدث 50.",
    first: "أولها",
    logs: {
      one: "سجل واحد وراء تنبيهاتها",
      two: "سجلان وراء تنبيهاتها",
      few: "# سجلات وراء تنبيهاتها",
      other: "# سجلًا وراء تنبيهاتها",
    },
    makeCase: "أنشئ قضية",
    previewCase: "عاين القضية",
    caseMade: "في القضية هذه التنبيهات.",
    hasCase: "القضية",
    forDevice: "لجهاز واحد",
    empty: "لا شيء يتصل ببعضه الآن",
    emptyText: "يقارن العامل كل تنبيه جديد، وكل مصادقة غير موثوقة أو فاشلة، بما حولها في يوم.",
  },
};
