import type { PluralForms } from "../../../../app/language/numbers.ts";
import type { Translations } from "../../../../app/language/translations.ts";
import type { Investigation } from "../investigations-client.ts";
import type { SentenceState } from "./sentences.ts";

interface StoryPhrases {
  back: string;
  title: string;
  notFound: string;
  notFoundText: string;
  story: string;
  states: Readonly<Record<SentenceState, string>>;
  stateTexts: Readonly<Record<SentenceState, string>>;
  noSentences: string;
  noSentencesYet: string;
  conclusion: string;
  whyFailed: string;
  evidence: string;
  /** `{number}` */
  evidenceNumber: string;
  noEvidence: string;
  missing: string;
  gone: string;
  mayNotRead: string;
  recorded: string;
  says: string;
  has: string;
  hasNothing: string;
  anywhere: string;
  confirmed: string;
  refuted: string;
  openLog: string;
  more: PluralForms;
  writtenBy: string;
  next: string;
  previous: string;
  closePane: string;
  goBack: string;
  recommended: string;
  gate: string;
  runInCase: string;
  openCaseFirst: string;
  case: string;
  openCase: string;
  previewCase: string;
  caseOpened: string;
  alert: string;
  stop: string;
  previewStop: string;
  stopped: string;
  calls: PluralForms;
  /** `{share}` */
  budget: string;
  agents: string;
  partStatuses: Readonly<Record<Investigation["agents"][number]["status"], string>>;
  steps: string;
  stepsExpired: string;
  stepsNone: string;
  stepsRefused: string;
  allSteps: string;
  asked: string;
  answered: string;
  cut: string;
  /** `{count}` */
  shortened: string;
  failedCall: string;
  replay: string;
  pause: string;
  first: string;
  earlier: string;
  later: string;
  /** `{at}`, `{count}` */
  place: string;
  question: string;
}

const english: StoryPhrases = {
  back: "Investigations",
  title: "Investigation",
  notFound: "There is no such investigation",
  notFoundText: "It may be older than a year, belong to another site, or the address is wrong.",
  story: "Story",
  states: { shown: "shown", not_shown: "not shown by data", refuted: "refuted" },
  stateTexts: {
    shown: "Every value of this sentence occurs in the events that it cites.",
    not_shown: "The events do not show this. Treat it as a guess.",
    refuted: "An event that it cites says something else. Do not rely on this sentence.",
  },
  noSentences: "The agents found nothing to say.",
  noSentencesYet: "The story appears when the agents have finished. The steps below come as they happen.",
  conclusion: "Conclusion",
  whyFailed: "Why there is no verdict",
  evidence: "Evidence",
  evidenceNumber: "Event {number}",
  noEvidence: "This sentence cites no event.",
  missing: "No event has this id. The reference is invented or damaged.",
  gone: "The event is no longer stored.",
  mayNotRead: "You need the permission siem:read to see the event.",
  recorded: "as the agents read it",
  says: "The sentence says",
  has: "The event has",
  hasNothing: "nothing there",
  anywhere: "anywhere in the event",
  confirmed: "confirmed",
  refuted: "refuted",
  openLog: "Open the log",
  more: { one: "Show # more event", other: "Show # more events" },
  writtenBy: "Written by the model",
  next: "next sentence",
  previous: "previous sentence",
  closePane: "Close the evidence",
  goBack: "Back",
  recommended: "Recommended actions",
  gate: "Agents recommend, people act: a playbook is previewed first, and a critical one waits for an approval.",
  runInCase: "Run a playbook in the case",
  openCaseFirst: "Playbooks run in a case. Open one first.",
  case: "Case",
  openCase: "Open a case",
  previewCase: "Preview a case",
  caseOpened: "The case is open.",
  alert: "Alert",
  stop: "Stop",
  previewStop: "Preview stopping",
  stopped: "It stops at its next step.",
  calls: { one: "# call", other: "# calls" },
  budget: "{share} of two minutes",
  agents: "Agents",
  partStatuses: {
    running: "working",
    completed: "done",
    failed: "failed",
    cancelled: "stopped",
    parked: "left out: parked",
    disabled: "left out: off",
    busy: "left out: busy",
    elsewhere: "left out: works for other sites",
  },
  steps: "Steps",
  stepsExpired: "The steps are kept for 90 days and have been deleted.",
  stepsNone: "No steps are recorded.",
  stepsRefused: "The steps contain logs. You need the permission siem:search to see them.",
  allSteps: "Inner steps too",
  asked: "Asked",
  answered: "Answered",
  cut: "cut",
  shortened: "… {count} more characters",
  failedCall: "failed",
  replay: "Replay",
  pause: "Pause",
  first: "From the start",
  earlier: "Step back",
  later: "Step on",
  place: "Step {at} of {count}",
  question: "Question",
};

const arabic: StoryPhrases = {
  back: "التحقيقات",
  title: "تحقيق",
  notFound: "لا يوجد تحقيق كهذا",
  notFoundText: "قد يكون أقدم من سنة، أو لموقع آخر، أو أن العنوان خاطئ.",
  story: "القصة",
  states: { shown: "تثبته البيانات", not_shown: "لا تثبته البيانات", refuted: "مدحوض" },
  stateTexts: {
    shown: "كل قيمة في هذه الجملة موجودة في الأحداث التي تستشهد بها.",
    not_shown: "الأحداث لا تُظهر هذا. عدّه تخمينًا.",
    refuted: "حدث تستشهد به يقول شيئًا آخر. لا تعتمد على هذه الجملة.",
  },
  noSentences: "لم يجد الوكلاء ما يقولونه.",
  noSentencesYet: "تظهر القصة حين ينتهي الوكلاء. والخطوات أدناه تأتي حال حدوثها.",
  conclusion: "الخلاصة",
  whyFailed: "لماذا لا حكم",
  evidence: "الأدلة",
  evidenceNumber: "الحدث {number}",
  noEvidence: "هذه الجملة لا تستشهد بأي حدث.",
  missing: "لا حدث بهذا المعرّف. المرجع مختلق أو تالف.",
  gone: "لم يعد الحدث محفوظًا.",
  mayNotRead: "تحتاج إلى الصلاحية siem:read لرؤية الحدث.",
  recorded: "كما قرأه الوكلاء",
  says: "تقول الجملة",
  has: "في الحدث",
  hasNothing: "لا شيء هناك",
  anywhere: "في أي مكان من الحدث",
  confirmed: "مؤكد",
  refuted: "مدحوض",
  openLog: "افتح السجل",
  more: { one: "اعرض حدثًا آخر", two: "اعرض حدثين آخرين", few: "اعرض # أحداث أخرى", other: "اعرض # حدثًا آخر" },
  writtenBy: "كتبها النموذج",
  next: "الجملة التالية",
  previous: "الجملة السابقة",
  closePane: "أغلق الأدلة",
  goBack: "رجوع",
  recommended: "إجراءات موصى بها",
  gate: "الوكلاء يوصون والناس يتصرفون: يُعاين الدليل أولًا، والحرج منه ينتظر موافقة.",
  runInCase: "شغّل دليلًا في القضية",
  openCaseFirst: "تعمل الأدلة داخل قضية. افتح واحدة أولًا.",
  case: "القضية",
  openCase: "افتح قضية",
  previewCase: "معاينة قضية",
  caseOpened: "القضية مفتوحة.",
  alert: "التنبيه",
  stop: "أوقف",
  previewStop: "معاينة الإيقاف",
  stopped: "سيتوقف عند خطوته التالية.",
  calls: { one: "استدعاء واحد", two: "استدعاءان", few: "# استدعاءات", other: "# استدعاء" },
  budget: "{share} من دقيقتين",
  agents: "الوكلاء",
  partStatuses: {
    running: "يعمل",
    completed: "انتهى",
    failed: "فشل",
    cancelled: "أُوقف",
    parked: "تُرك: مركون",
    disabled: "تُرك: متوقف",
    busy: "تُرك: مشغول",
    elsewhere: "تُرك: يعمل لمواقع أخرى",
  },
  steps: "الخطوات",
  stepsExpired: "تُحفظ الخطوات 90 يومًا وقد حُذفت.",
  stepsNone: "لا خطوات مسجلة.",
  stepsRefused: "الخطوات تحتوي على سجلات. تحتاج إلى الصلاحية siem:search لرؤيتها.",
  allSteps: "الخطوات الداخلية أيضًا",
  asked: "السؤال",
  answered: "الجواب",
  cut: "مقتطع",
  shortened: "… {count} حرفًا آخر",
  failedCall: "فشل",
  replay: "إعادة العرض",
  pause: "إيقاف مؤقت",
  first: "من البداية",
  earlier: "خطوة إلى الوراء",
  later: "خطوة إلى الأمام",
  place: "الخطوة {at} من {count}",
  question: "السؤال",
};

export const storyPhrases: Translations<StoryPhrases> = { en: english, ar: arabic };
