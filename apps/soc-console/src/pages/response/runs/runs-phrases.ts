import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";

export interface RunsPhrases {
  runs: string;
  run: string;
  views: string;
  inForce: string;
  back: string;
  playbook: string;
  status: string;
  anyStatus: string;
  anyPlaybook: string;
  mode: string;
  real: string;
  by: string;
  started: string;
  took: string;
  waitsFor: string;
  waitsForStep: string;
  waitsForApproval: string;
  waitsUntilUndone: string;
  noRuns: string;
  noRunsText: string;
  choosePlaybook: string;
  version: string;
  versionLost: string;
  alert: string;
  case: string;
  openApproval: string;
  stepWaits: string;
  stepWaited: string;
  approvalOfStart: string;
  parameters: string;
  error: string;
  input: string;
  inputBefore: string;
  inputNow: string;
  noInput: string;
  result: string;
  noResult: string;
  attempt: string;
  began: string;
  skippedText: string;
  undoPart: string;
  openCase: string;
  asOf: string;
  cancel: string;
  cancelPreview: string;
  cancelTitle: string;
  keepRunning: string;
  cancelled: string;
  cancelNone: PluralForms;
  cancelApproval: string;
  cancelUndo: string;
  cancelNothingUndone: string;
  cancelStays: string;
  host: string;
  action: string;
  actions: Record<string, string>;
  why: string;
  since: string;
  ends: string;
  noEnd: string;
  release: string;
  releasePreview: string;
  released: string;
  releaseWaits: string;
  noneInForce: string;
  noneInForceText: string;
}

const english: RunsPhrases = {
  runs: "Runs",
  run: "Run",
  views: "Views",
  inForce: "Still in force",
  back: "All runs",
  playbook: "Playbook",
  status: "Status",
  anyStatus: "Any status",
  anyPlaybook: "Any playbook",
  mode: "Mode",
  real: "real",
  by: "Asked by",
  started: "Asked",
  took: "Took",
  waitsFor: "Waits for",
  waitsForStep: "step {number}: {name}",
  waitsForApproval: "approval: {name}",
  waitsUntilUndone: "approval to undo: {name}",
  noRuns: "No playbook has run yet",
  noRunsText: "Choose a playbook and run it, or let an automation start it.",
  choosePlaybook: "Choose a playbook",
  version: "version {version}",
  versionLost: "The version that this run began with is not kept any more: the steps that have begun are shown.",
  alert: "Alert",
  case: "Case",
  openApproval: "Open the approval",
  stepWaits: "It waits until a person decides.",
  stepWaited: "A person was asked to decide.",
  approvalOfStart: "approved before it began",
  parameters: "Parameters",
  error: "Error",
  input: "Input",
  inputBefore: "As the playbook says it: the values are filled in when the step begins.",
  inputNow: "With values of the alert or the case as they are now.",
  noInput: "It takes no input.",
  result: "Result",
  noResult: "It answered nothing.",
  attempt: "attempt {attempt} of {max}",
  began: "began {time}",
  skippedText: "Skipped: its condition did not hold.",
  undoPart: "Undone by",
  openCase: "Open the case",
  asOf: "The run could not be read again; this is as of {time}.",
  cancel: "Cancel the run",
  cancelPreview: "Preview the cancelling",
  cancelTitle: "Cancel this run?",
  keepRunning: "Let it run",
  cancelled: "The run is cancelled",
  cancelNone: { one: "# step has not begun and will not begin:", other: "# steps have not begun and will not begin:" },
  cancelApproval: "The approval that it waits for is withdrawn:",
  cancelUndo: "These steps are undone, in this order:",
  cancelNothingUndone: "No finished step has an undo.",
  cancelStays: "These steps are done and stay as they are:",
  host: "Host",
  action: "What",
  actions: { isolate: "isolated", scan: "scan" },
  why: "Why",
  since: "Since",
  ends: "Ends",
  noEnd: "until released",
  release: "Release",
  releasePreview: "Preview release",
  released: "{host} is being released",
  releaseWaits: "The release of {host} waits for an approval",
  noneInForce: "Nothing is in force",
  noneInForceText: "Isolations of endpoints stand here until they are released.",
};

const arabic: RunsPhrases = {
  runs: "التشغيلات",
  run: "التشغيل",
  views: "العروض",
  inForce: "ما زال ساريًا",
  back: "كل التشغيلات",
  playbook: "الكتيّب",
  status: "الحالة",
  anyStatus: "أي حالة",
  anyPlaybook: "أي كتيّب",
  mode: "الوضع",
  real: "حقيقي",
  by: "طلبه",
  started: "طُلب",
  took: "استغرق",
  waitsFor: "ينتظر",
  waitsForStep: "الخطوة {number}: {name}",
  waitsForApproval: "الموافقة: {name}",
  waitsUntilUndone: "الموافقة على التراجع: {name}",
  noRuns: "لم يعمل أي كتيّب بعد",
  noRunsText: "اختر كتيّبًا وشغّله، أو دع أتمتة تبدؤه.",
  choosePlaybook: "اختر كتيّبًا",
  version: "الإصدار {version}",
  versionLost: "لم يعد الإصدار الذي بدأ به هذا التشغيل محفوظًا: تُعرض الخطوات التي بدأت.",
  alert: "التنبيه",
  case: "القضية",
  openApproval: "افتح الموافقة",
  stepWaits: "تنتظر حتى يقرّر شخص.",
  stepWaited: "سُئل شخص أن يقرّر.",
  approvalOfStart: "وُوفق عليه قبل أن يبدأ",
  parameters: "المعاملات",
  error: "الخطأ",
  input: "المدخل",
  inputBefore: "كما يقول الكتيّب: تُملأ القيم عندما تبدأ الخطوة.",
  inputNow: "بقيم التنبيه أو القضية كما هي الآن.",
  noInput: "لا مدخل لها.",
  result: "النتيجة",
  noResult: "لم تُجب بشيء.",
  attempt: "المحاولة {attempt} من {max}",
  began: "بدأت {time}",
  skippedText: "تُخطّيت: لم يتحقق شرطها.",
  undoPart: "أُلغي أثرها بواسطة",
  openCase: "افتح القضية",
  asOf: "تعذّرت قراءة التشغيل من جديد؛ هذا كما كان في {time}.",
  cancel: "ألغِ التشغيل",
  cancelPreview: "عاين الإلغاء",
  cancelTitle: "هل يُلغى هذا التشغيل؟",
  keepRunning: "دعه يعمل",
  cancelled: "أُلغي التشغيل",
  cancelNone: {
    one: "خطوة واحدة لم تبدأ ولن تبدأ:",
    two: "خطوتان لم تبدآ ولن تبدآ:",
    few: "# خطوات لم تبدأ ولن تبدأ:",
    other: "# خطوة لم تبدأ ولن تبدأ:",
  },
  cancelApproval: "تُسحب الموافقة التي ينتظرها:",
  cancelUndo: "يُلغى أثر هذه الخطوات بهذا الترتيب:",
  cancelNothingUndone: "لا خطوة منتهية لها تراجع.",
  cancelStays: "هذه الخطوات تمّت وتبقى كما هي:",
  host: "المضيف",
  action: "ماذا",
  actions: { isolate: "معزول", scan: "فحص" },
  why: "لماذا",
  since: "منذ",
  ends: "ينتهي",
  noEnd: "حتى يُطلق",
  release: "أطلق",
  releasePreview: "عاين الإطلاق",
  released: "يُطلق {host}",
  releaseWaits: "إطلاق {host} ينتظر موافقة",
  noneInForce: "لا شيء سارٍ",
  noneInForceText: "هنا عزل الأجهزة حتى تُطلق.",
};

export const runsPhrases: Translations<RunsPhrases> = { en: english, ar: arabic };
