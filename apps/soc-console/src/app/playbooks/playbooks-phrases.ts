import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";
import type { RunStatus, RunStep } from "./playbooks-client.ts";

/** Words about playbooks, their steps and runs that several pages use. */
export interface PlaybooksPhrases {
  statuses: Record<RunStatus, string>;
  stepStatuses: Record<RunStep["status"], string>;
  notBegun: string;
  notReached: string;
  leaves: string;
  undo: string;
  when: string;
  steps: string;
  step: string;
  moveStep: string;
  stepBefore: string;
  simulated: string;
  run: string;
  runTitle: string;
  choose: string;
  chooseHint: string;
  critical: string;
  fourEyes: string;
  quorum: PluralForms;
  noParameters: string;
  fromField: string;
  look: string;
  whatHappens: string;
  staysInside: string;
  leavesNow: PluralForms;
  runNow: string;
  runPreview: string;
  askApproval: string;
  begun: string;
  pending: string;
  pendingText: string;
  openApproval: string;
  openRun: string;
  noPlaybooks: string;
  required: string;
  valueRequired: string;
  chooseValue: string;
  listNote: string;
  approverSets: string;
  /** `{names}` */
  pendingInputs: string;
  close: string;
}

export const playbooksPhrases: Translations<PlaybooksPhrases> = {
  en: {
    statuses: {
      queued: "about to begin",
      running: "running",
      waiting: "waiting",
      completed: "completed",
      failed: "failed",
      compensated: "failed, undone",
      rejected: "rejected",
      timeout: "not decided in time",
      cancelled: "cancelled",
    },
    stepStatuses: {
      running: "running",
      waiting: "waiting",
      retrying: "trying again",
      completed: "done",
      skipped: "skipped",
      failed: "failed",
      rejected: "rejected",
      timeout: "timed out",
    },
    notBegun: "not begun",
    notReached: "not reached",
    leaves: "leaves the platform",
    undo: "undo",
    when: "only when",
    steps: "Steps",
    step: "Step",
    moveStep: "move over the steps",
    stepBefore: "step before",
    simulated: "simulated",
    run: "Run",
    runTitle: "Run a playbook",
    choose: "Playbook",
    chooseHint: "Choose a playbook",
    critical: "Critical: a person must approve it before it runs.",
    fourEyes: "four eyes",
    quorum: { one: "# vote", other: "# votes" },
    noParameters: "It takes no parameters.",
    fromField: "from {field} when left empty",
    look: "Show what would happen",
    whatHappens: "What would happen",
    staysInside: "Nothing would leave the platform.",
    leavesNow: { one: "# message would leave the platform", other: "# messages would leave the platform" },
    runNow: "Run",
    runPreview: "Preview the run",
    askApproval: "Ask for approval",
    begun: "{name} has begun",
    pending: "Pending approval",
    pendingText: "When {name} is approved, you start it from the approval.",
    openApproval: "Open the approval",
    openRun: "Open the run",
    noPlaybooks: "There is no enabled playbook.",
    required: "required",
    valueRequired: "A value is required.",
    chooseValue: "Choose a value",
    listNote: "several values are separated by commas",
    approverSets: "the approver sets it when it is empty",
    pendingInputs: "The approver must set {names}.",
    close: "Close",
  },
  ar: {
    statuses: {
      queued: "على وشك البدء",
      running: "يعمل",
      waiting: "ينتظر",
      completed: "اكتمل",
      failed: "فشل",
      compensated: "فشل وأُلغي أثره",
      rejected: "مرفوض",
      timeout: "لم يُقرَّر في الوقت",
      cancelled: "أُلغي",
    },
    stepStatuses: {
      running: "تعمل",
      waiting: "تنتظر",
      retrying: "تعيد المحاولة",
      completed: "تمّت",
      skipped: "تُخطّيت",
      failed: "فشلت",
      rejected: "مرفوضة",
      timeout: "انتهت مهلتها",
    },
    notBegun: "لم تبدأ",
    notReached: "لم يُوصل إليها",
    leaves: "يغادر المنصة",
    undo: "التراجع",
    when: "فقط عندما",
    steps: "الخطوات",
    step: "الخطوة",
    moveStep: "تنقّل بين الخطوات",
    stepBefore: "الخطوة السابقة",
    simulated: "محاكاة",
    run: "شغّل",
    runTitle: "شغّل كتيّبًا",
    choose: "الكتيّب",
    chooseHint: "اختر كتيّبًا",
    critical: "حرج: يجب أن يوافق عليه شخص قبل أن يعمل.",
    fourEyes: "أربع أعين",
    quorum: { one: "صوت واحد", two: "صوتان", few: "# أصوات", other: "# صوتًا" },
    noParameters: "لا معاملات له.",
    fromField: "من {field} إذا تُرك فارغًا",
    look: "اعرض ما سيحدث",
    whatHappens: "ما سيحدث",
    staysInside: "لن يغادر المنصة شيء.",
    leavesNow: {
      one: "ستغادر المنصة رسالة واحدة",
      two: "ستغادر المنصة رسالتان",
      few: "ستغادر المنصة # رسائل",
      other: "ستغادر المنصة # رسالة",
    },
    runNow: "شغّل",
    runPreview: "عاين التشغيل",
    askApproval: "اطلب الموافقة",
    begun: "بدأ {name}",
    pending: "بانتظار الموافقة",
    pendingText: "عندما يُوافق على {name} تبدؤه من الموافقة.",
    openApproval: "افتح الموافقة",
    openRun: "افتح التشغيل",
    noPlaybooks: "لا كتيّب مفعّل.",
    required: "مطلوب",
    valueRequired: "القيمة مطلوبة.",
    chooseValue: "اختر قيمة",
    listNote: "افصل بين القيم بفواصل",
    approverSets: "إذا تُرك فارغًا حدّده من يوافق",
    pendingInputs: "على من يوافق أن يحدّد {names}.",
    close: "إغلاق",
  },
};
