import type { Translations } from "../../../../app/language/translations.ts";
import type { Run } from "./runs-client.ts";

export interface RunsPhrases {
  runs: string;
  playbook: string;
  status: string;
  statuses: Record<Run["status"], string>;
  steps: string;
  by: string;
  started: string;
  simulated: string;
  run: string;
  runTitle: string;
  choose: string;
  chooseHint: string;
  critical: string;
  parameters: string;
  noParameters: string;
  fromCase: string;
  look: string;
  looking: string;
  whatHappens: string;
  leaves: string;
  staysInside: string;
  runNow: string;
  runPreview: string;
  askApproval: string;
  begun: string;
  pending: string;
  pendingText: string;
  openApproval: string;
  openRun: string;
  waitingApprovals: string;
  approvedBy: string;
  runApproved: string;
  empty: string;
  emptyText: string;
  noPlaybooks: string;
  mayNot: string;
  required: string;
  openRuns: string;
  close: string;
}

export const runsPhrases: Translations<RunsPhrases> = {
  en: {
    runs: "Runs of playbooks",
    playbook: "Playbook",
    status: "Status",
    statuses: {
      queued: "queued",
      running: "running",
      waiting: "waiting",
      completed: "completed",
      failed: "failed",
      compensated: "undone",
      rejected: "rejected",
      timeout: "timed out",
      cancelled: "cancelled",
    },
    steps: "Steps",
    by: "Asked by",
    started: "Asked",
    simulated: "simulated",
    run: "Run a playbook",
    runTitle: "Run a playbook for this case",
    choose: "Playbook",
    chooseHint: "Choose a playbook",
    critical: "Critical: a person must approve it before it runs.",
    parameters: "Parameters",
    noParameters: "It takes no parameters.",
    fromCase: "from {field} when left empty",
    look: "Show what would happen",
    looking: "Asking…",
    whatHappens: "What would happen",
    leaves: "leaves the platform",
    staysInside: "Nothing would leave the platform.",
    runNow: "Run",
    runPreview: "Preview the run",
    askApproval: "Ask for approval",
    begun: "{name} has begun",
    pending: "Pending approval",
    pendingText: "When {name} is approved, you start it here.",
    openApproval: "Open the approval",
    openRun: "Open the run",
    waitingApprovals: "Approvals of this case",
    approvedBy: "approved by {name}",
    runApproved: "Run it now",
    empty: "No playbook has run for this case",
    emptyText: "Press r to choose one.",
    noPlaybooks: "There is no enabled playbook.",
    mayNot: "Your role does not allow reading runs.",
    required: "required",
    openRuns: "open the run",
    close: "Close",
  },
  ar: {
    runs: "تشغيلات الكتيّبات",
    playbook: "الكتيّب",
    status: "الحالة",
    statuses: {
      queued: "في الانتظار",
      running: "يعمل",
      waiting: "ينتظر",
      completed: "اكتمل",
      failed: "فشل",
      compensated: "أُلغي أثره",
      rejected: "مرفوض",
      timeout: "انتهت مهلته",
      cancelled: "أُلغي",
    },
    steps: "الخطوات",
    by: "طلبه",
    started: "طُلب",
    simulated: "محاكاة",
    run: "شغّل كتيّبًا",
    runTitle: "شغّل كتيّبًا لهذه القضية",
    choose: "الكتيّب",
    chooseHint: "اختر كتيّبًا",
    critical: "حرج: يجب أن يوافق عليه شخص قبل أن يعمل.",
    parameters: "المعاملات",
    noParameters: "لا معاملات له.",
    fromCase: "من {field} إذا تُرك فارغًا",
    look: "اعرض ما سيحدث",
    looking: "يُسأل…",
    whatHappens: "ما سيحدث",
    leaves: "يغادر المنصة",
    staysInside: "لن يغادر المنصة شيء.",
    runNow: "شغّل",
    runPreview: "عاين التشغيل",
    askApproval: "اطلب الموافقة",
    begun: "بدأ {name}",
    pending: "بانتظار الموافقة",
    pendingText: "عندما يُوافق على {name} تبدؤه من هنا.",
    openApproval: "افتح الموافقة",
    openRun: "افتح التشغيل",
    waitingApprovals: "موافقات هذه القضية",
    approvedBy: "وافق {name}",
    runApproved: "شغّله الآن",
    empty: "لم يعمل أي كتيّب لهذه القضية",
    emptyText: "اضغط r لاختيار واحد.",
    noPlaybooks: "لا كتيّب مفعّل.",
    mayNot: "دورك لا يسمح بقراءة التشغيلات.",
    required: "مطلوب",
    openRuns: "افتح التشغيل",
    close: "إغلاق",
  },
};
