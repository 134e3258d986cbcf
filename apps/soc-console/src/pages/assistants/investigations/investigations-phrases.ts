import type { Translations } from "../../../app/language/translations.ts";
import type { Investigation } from "./investigations-client.ts";

interface InvestigationsPhrases {
  agents: string;
  investigations: string;
  views: string;
  statuses: Readonly<Record<Investigation["status"], string>>;
  verdicts: Readonly<Record<NonNullable<Investigation["verdict"]>, string>>;
  severities: Readonly<Record<Investigation["severity"], string>>;
  severity: string;
  status: string;
  verdict: string;
  summary: string;
  requestedBy: string;
  at: string;
  anyStatus: string;
  anyVerdict: string;
  agent: string;
  alert: string;
  removeFilter: string;
  noSummary: string;
  empty: string;
  emptyText: string;
  recommended: string;
  took: string;
  open: string;
}

const english: InvestigationsPhrases = {
  agents: "Agents",
  investigations: "Investigations",
  views: "Views",
  statuses: {
    queued: "Waiting",
    running: "Running",
    completed: "Completed",
    failed: "Failed",
    cancelled: "Stopped",
  },
  verdicts: { malicious: "Malicious", benign: "Benign", inconclusive: "Inconclusive" },
  severities: { critical: "Critical", high: "High", medium: "Medium", low: "Low", info: "Info" },
  severity: "Severity",
  status: "State",
  verdict: "Verdict",
  summary: "What was found",
  requestedBy: "Asked by",
  at: "Asked at",
  anyStatus: "Any state",
  anyVerdict: "Any verdict",
  agent: "agent",
  alert: "alert",
  removeFilter: "Remove this filter",
  noSummary: "Not finished yet",
  empty: "No investigation yet",
  emptyText: "Every new alert starts one while the agents are on. Start one yourself from an alert or a question.",
  recommended: "Recommended",
  took: "Took",
  open: "Read the story",
};

const arabic: InvestigationsPhrases = {
  agents: "الوكلاء",
  investigations: "التحقيقات",
  views: "طرق العرض",
  statuses: { queued: "ينتظر", running: "جارٍ", completed: "مكتمل", failed: "فشل", cancelled: "أُوقف" },
  verdicts: { malicious: "خبيث", benign: "سليم", inconclusive: "غير محسوم" },
  severities: { critical: "حرج", high: "عالٍ", medium: "متوسط", low: "منخفض", info: "معلومة" },
  severity: "الخطورة",
  status: "الحالة",
  verdict: "الحكم",
  summary: "ما وُجد",
  requestedBy: "طلبه",
  at: "وقت الطلب",
  anyStatus: "أي حالة",
  anyVerdict: "أي حكم",
  agent: "الوكيل",
  alert: "التنبيه",
  removeFilter: "أزل هذا المرشح",
  noSummary: "لم ينته بعد",
  empty: "لا تحقيق بعد",
  emptyText: "كل تنبيه جديد يبدأ تحقيقًا ما دام الوكلاء يعملون. ابدأ واحدًا بنفسك من تنبيه أو سؤال.",
  recommended: "الموصى به",
  took: "استغرق",
  open: "اقرأ القصة",
};

export const investigationsPhrases: Translations<InvestigationsPhrases> = { en: english, ar: arabic };
