import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";

export interface ApprovalsPhrases {
  title: string;
  tabs: { label: string; pending: string; decided: string; mine: string };
  outcomes: { label: string; all: string; approved: string; rejected: string; timeout: string };
  statuses: { pending: string; approved: string; rejected: string; timeout: string };
  list: string;
  back: string;
  group: string;
  next: string;
  previous: string;
  open: string;
  emptyPending: string;
  emptyPendingText: string;
  emptyDecided: string;
  emptyMine: string;
  emptyMineText: string;
  /** `{shown}`, `{total}` */
  shown: string;
  gone: string;
  none: string;
  failed: string;
  retry: string;
  /** `{name}`, `{time}` */
  askedBy: string;
  /** `{time}` */
  ends: string;
  /** `{left}` */
  left: string;
  /** `{time}` */
  ended: string;
  votes: string;
  voteApproved: string;
  voteRejected: string;
  quorum: PluralForms;
  willHappen: string;
  wouldHappen: string;
  happened: string;
  noEffect: string;
  leaves: string;
  undo: string;
  noUndo: string;
  why: string;
  playbook: string;
  case: string;
  alert: string;
  requesters: string;
  parameters: string;
  missing: string;
  setAtDecision: string;
  setAtStart: string;
  hash: string;
  changed: string;
  /** `{asked}`, `{now}` */
  outdated: string;
  reason: string;
  reasonHint: string;
  approve: string;
  reject: string;
  previewApprove: string;
  previewReject: string;
  look: string;
  dummy: string;
  bars: { own: string; wrote: string; voted: string; permission: string; expired: string };
  deciders: string;
  noDeciders: string;
  preview: string;
  /** `{status}` */
  previewText: string;
  previewStart: string;
  approved: string;
  rejected: string;
  voted: string;
  start: string;
  previewStartLabel: string;
  startText: string;
  /** `{name}` */
  waitsForStart: string;
  goesOn: string;
  run: string;
  runFailed: string;
  runStatuses: Readonly<Record<string, string>>;
  simulated: string;
  started: string;
}

const english: ApprovalsPhrases = {
  title: "Approvals",
  tabs: { label: "Views", pending: "Pending", decided: "Decided", mine: "Mine" },
  outcomes: {
    label: "Outcome",
    all: "Every outcome",
    approved: "Approved",
    rejected: "Rejected",
    timeout: "Ended undecided",
  },
  statuses: { pending: "pending", approved: "approved", rejected: "rejected", timeout: "ended undecided" },
  list: "Requests",
  back: "All requests",
  group: "Approvals",
  next: "Next request",
  previous: "Previous request",
  open: "Open",
  emptyPending: "Nothing waits for a decision",
  emptyPendingText: "When a playbook or a person asks for something grave, the request appears here by itself.",
  emptyDecided: "Nothing was decided yet",
  emptyMine: "You have asked for nothing",
  emptyMineText: "What you start and what needs an approval, such as a critical playbook, is listed here.",
  shown: "{shown} of {total}",
  gone: "no longer pending",
  none: "Choose a request to read what it would do.",
  failed: "The request could not be read",
  retry: "Try again",
  askedBy: "Asked by {name}, {time}",
  ends: "ends {time}",
  left: "{left} left",
  ended: "ended {time}",
  votes: "Votes",
  voteApproved: "approved",
  voteRejected: "rejected",
  quorum: { one: "{count} of # vote", other: "{count} of # votes" },
  willHappen: "Will happen",
  wouldHappen: "Would happen",
  happened: "What was asked for",
  noEffect: "The request names no effect.",
  leaves: "leaves the platform",
  undo: "Undo",
  noUndo: "no undo is known",
  why: "Why",
  playbook: "Playbook",
  case: "case",
  alert: "alert",
  requesters: "Requesters",
  parameters: "Parameters",
  missing: "Missing inputs",
  setAtDecision: "The request leaves them open. They are set with the approval.",
  setAtStart: "The approval leaves them open. They are set at the start.",
  hash: "Effect hash",
  changed: "The effect has changed while you read. The old one is greyed; read the new one.",
  outdated:
    "Asked for version {asked} of the playbook; it is version {now} now. An approval of the old one can no longer be used.",
  reason: "Reason",
  reasonHint: "Kept with the decision. Esc leaves the field.",
  approve: "Approve",
  reject: "Reject",
  previewApprove: "Preview approval",
  previewReject: "Preview rejection",
  look: "Read the whole effect first: it must be in sight for a second.",
  dummy: "Dummy mode: nothing can be decided.",
  bars: {
    own: "You have asked for this. Four eyes: another person decides.",
    wrote: "You wrote the playbook or the automation, or reported the alert. Four eyes: another person decides.",
    voted: "You have approved this already. Another person must approve it, too.",
    permission: "A person with the permission approvals:manage decides.",
    expired: "This request has ended undecided. It can be asked for again.",
  },
  deciders: "Who can decide",
  noDeciders: "No other active user can decide.",
  preview: "This decision is a preview",
  previewText: "Dry run: nothing was decided. In real mode the request would now be: {status}.",
  previewStart: "Dry run: nothing was started. In real mode it would begin now.",
  approved: "Approved.",
  rejected: "Rejected.",
  voted: "Your vote counts. It needs more people.",
  start: "Start now",
  previewStartLabel: "Preview the start",
  startText: "Approved. It begins when you start it, exactly as shown, once.",
  waitsForStart: "Approved. {name} can start it now.",
  goesOn: "What waited for the decision goes on by itself.",
  run: "Run",
  runFailed: "The run could not be read",
  runStatuses: {
    queued: "queued",
    running: "running",
    waiting: "waiting",
    retrying: "retrying",
    completed: "completed",
    failed: "failed",
    compensated: "undone",
    rejected: "rejected",
    timeout: "timed out",
    cancelled: "cancelled",
    skipped: "skipped",
    dispatched: "sent",
    recorded: "recorded",
    blocked: "blocked",
  },
  simulated: "simulated",
  started: "It was started.",
};

const arabic: ApprovalsPhrases = {
  title: "الموافقات",
  tabs: { label: "طرق العرض", pending: "تنتظر", decided: "بُتّ فيها", mine: "طلباتي" },
  outcomes: { label: "النتيجة", all: "كل النتائج", approved: "مقبولة", rejected: "مرفوضة", timeout: "انتهت بلا قرار" },
  statuses: { pending: "ينتظر", approved: "مقبول", rejected: "مرفوض", timeout: "انتهى بلا قرار" },
  list: "الطلبات",
  back: "كل الطلبات",
  group: "الموافقات",
  next: "الطلب التالي",
  previous: "الطلب السابق",
  open: "افتح",
  emptyPending: "لا شيء ينتظر قرارًا",
  emptyPendingText: "حين يطلب دليل إجراءات أو شخص أمرًا خطيرًا، يظهر الطلب هنا من تلقاء نفسه.",
  emptyDecided: "لم يُبتّ في شيء بعد",
  emptyMine: "لم تطلب شيئًا",
  emptyMineText: "يُدرج هنا ما تبدؤه ويحتاج إلى موافقة، مثل دليل إجراءات حرج.",
  shown: "{shown} من {total}",
  gone: "لم يعد ينتظر",
  none: "اختر طلبًا لتقرأ ما سيفعله.",
  failed: "تعذرت قراءة الطلب",
  retry: "أعد المحاولة",
  askedBy: "طلبه {name}، {time}",
  ends: "ينتهي {time}",
  left: "بقي {left}",
  ended: "انتهى {time}",
  votes: "الأصوات",
  voteApproved: "وافق",
  voteRejected: "رفض",
  quorum: {
    one: "{count} من صوت واحد",
    two: "{count} من صوتين",
    few: "{count} من # أصوات",
    other: "{count} من # صوتًا",
  },
  willHappen: "سيحدث",
  wouldHappen: "كان سيحدث",
  happened: "ما طُلب",
  noEffect: "لا يذكر الطلب أثرًا.",
  leaves: "يغادر المنصة",
  undo: "التراجع",
  noUndo: "لا يُعرف تراجع",
  why: "السبب",
  playbook: "دليل الإجراءات",
  case: "القضية",
  alert: "التنبيه",
  requesters: "أصحاب الطلب",
  parameters: "المعطيات",
  missing: "مدخلات ناقصة",
  setAtDecision: "لم يحدّدها الطلب. تُحدَّد مع الموافقة.",
  setAtStart: "لم تحدّدها الموافقة. تُحدَّد عند البدء.",
  hash: "بصمة الأثر",
  changed: "تغيّر الأثر وأنت تقرأ. القديم باهت؛ اقرأ الجديد.",
  outdated: "طُلب الإصدار {asked} من دليل الإجراءات، وهو الآن الإصدار {now}. الموافقة على القديم لا تصلح بعد الآن.",
  reason: "السبب",
  reasonHint: "يُحفظ مع القرار. يخرجك Esc من الحقل.",
  approve: "موافقة",
  reject: "رفض",
  previewApprove: "عاين الموافقة",
  previewReject: "عاين الرفض",
  look: "اقرأ الأثر كله أولًا: يجب أن يكون أمامك ثانية.",
  dummy: "الوضع التجريبي: لا يُبتّ في شيء.",
  bars: {
    own: "أنت طلبت هذا. أربع عيون: يقرر شخص آخر.",
    wrote: "أنت كتبت دليل الإجراءات أو الأتمتة، أو أبلغت عن التنبيه. أربع عيون: يقرر شخص آخر.",
    voted: "وافقت على هذا من قبل. يجب أن يوافق شخص آخر أيضًا.",
    permission: "يقرر من له الصلاحية approvals:manage.",
    expired: "انتهى هذا الطلب بلا قرار. يمكن طلبه من جديد.",
  },
  deciders: "من يستطيع أن يقرر",
  noDeciders: "لا يستطيع مستخدم نشط آخر أن يقرر.",
  preview: "هذا القرار معاينة",
  previewText: "تشغيل جاف: لم يُبتّ في شيء. في الوضع الحقيقي كان الطلب سيصبح الآن: {status}.",
  previewStart: "تشغيل جاف: لم يبدأ شيء. في الوضع الحقيقي كان سيبدأ الآن.",
  approved: "تمت الموافقة.",
  rejected: "تم الرفض.",
  voted: "حُسب صوتك. يلزم مزيد من الأشخاص.",
  start: "ابدأ الآن",
  previewStartLabel: "عاين البدء",
  startText: "تمت الموافقة. يبدأ حين تبدؤه، كما عُرض تمامًا، مرة واحدة.",
  waitsForStart: "تمت الموافقة. يستطيع {name} أن يبدأه الآن.",
  goesOn: "ما كان ينتظر القرار يتابع من تلقاء نفسه.",
  run: "التشغيل",
  runFailed: "تعذرت قراءة التشغيل",
  runStatuses: {
    queued: "في الصف",
    running: "يعمل",
    waiting: "ينتظر",
    retrying: "يحاول مجددًا",
    completed: "اكتمل",
    failed: "فشل",
    compensated: "تُراجع عنه",
    rejected: "مرفوض",
    timeout: "انتهت مهلته",
    cancelled: "أُلغي",
    skipped: "تُجاوز",
    dispatched: "أُرسل",
    recorded: "سُجّل",
    blocked: "مُنع",
  },
  simulated: "محاكاة",
  started: "بدأ.",
};

export const approvalsPhrases: Translations<ApprovalsPhrases> = { en: english, ar: arabic };
