import { type Phrase, translations } from "../../../app/language/translations.ts";
import type { PartName, PartState } from "./health-parts.ts";

/** What to do, by part and state; nothing where there is nothing to do. */
const ADVICE: Record<PartName, Partial<Record<PartState, Phrase>>> = {
  database: {
    down: [
      "Start PostgreSQL, or check its address and the network. Pages show their last data; the service reconnects automatically.",
      "شغّل PostgreSQL، أو افحص عنوانها والشبكة. تعرض الصفحات ما عرفته، وتتصل الخدمة من جديد بنفسها.",
    ],
  },
  logStore: {
    down: [
      "Logs wait with their senders and on this disk; nothing that was acknowledged is lost. Check whether the disk is full and whether the engine runs.",
      "تنتظر السجلات عند مرسليها وعلى هذا القرص، ولا يضيع ما أُكّد استلامه. افحص هل امتلأ القرص وهل يعمل المحرك.",
    ],
    partial: [
      "Searches name what is missing, and rules wait for it. Start these stores; nothing that was acknowledged is lost.",
      "يسمّي البحث ما ينقص، وتنتظره القواعد. شغّل هذه المخازن، ولا يضيع ما أُكّد استلامه.",
    ],
    restarted: [
      "Look for the reason: memory or disk are too small, or a search was too expensive.",
      "ابحث عن السبب: الذاكرة أو القرص صغير، أو كان بحث مكلفًا.",
    ],
  },
  worker: {
    down: [
      "No rule is evaluated and no playbook runs. Start the worker; if it ends again, its log says why.",
      "لا تُقيّم قاعدة ولا يعمل دليل تشغيل. شغّل العامل، وإن انتهى ثانية فسجله يقول لماذا.",
    ],
    restarted: [
      "It recovered automatically. If it happens again, check its log.",
      "تعافى بنفسه. وإن تكرر فسجله يقول لماذا.",
    ],
  },
  stream: {
    behind: [
      "Alerts come late. Look for expensive rules in Detections, or give the worker a second core.",
      "تتأخر التنبيهات. ابحث عن القواعد المكلفة في الكشف، أو أعطِ العامل نواة ثانية.",
    ],
    unknown: [
      "No worker leads the stream now. If that lasts a minute, start the worker.",
      "لا عامل يقود التدفق الآن. إن دام ذلك دقيقة فشغّل العامل.",
    ],
  },
  events: {
    behind: [
      "Pages, notifications and automations learn of changes late. Look for old transactions in the database.",
      "تعلم الصفحات والإشعارات والأتمتة بالتغييرات متأخرة. ابحث عن معاملات قديمة في قاعدة البيانات.",
    ],
  },
  clock: {
    wrong: [
      "Nothing is written until it is right. Check the time service of this host and of the database.",
      "لا يُكتب شيء حتى تصح. افحص خدمة الوقت على هذا المضيف وعند قاعدة البيانات.",
    ],
  },
  disks: {
    alarm: [
      'Full: "data" is the data folder\'s, "database" PostgreSQL\'s. Make room; what was acknowledged is kept.',
      'ممتلئ: "data" قرص مجلد البيانات و"database" قرص PostgreSQL. أفسح مساحة، ولا يضيع ما أُكّد استلامه.',
    ],
  },
  ledger: {
    alarm: [
      "Treat it as an incident: the database was changed outside the service. Make a copy before you repair it.",
      "عامله كحادث: غيّر شيء قاعدة البيانات من وراء الخدمة. احفظ نسخة قبل الإصلاح.",
    ],
  },
  audit: {
    alarm: [
      "If an entry was changed, removed or inserted, treat it as an incident and make a copy. If a receiver fails, check its address and the network; nothing is lost.",
      "إن غُيّر قيد أو حُذف أو أُدخل فعامله كحادث واحفظ نسخة. وإن تعذّر الإرسال إلى مستقبل فافحص عنوانه والشبكة، ولا يضيع شيء.",
    ],
    behind: [
      "Entries join the ledger late. Start the worker, or check its log.",
      "تتأخر القيود عن السجل الموثّق. شغّل العامل أو افحص سجله.",
    ],
    unknown: ["The service could not read it. Check again.", "لم تستطع الخدمة قراءته. افحص ثانية."],
  },
  devices: {
    alarm: [
      "Devices stop trusting each other when the list expires. The worker signs it: see above.",
      "تتوقف الأجهزة عن الثقة ببعضها حين تنتهي القائمة. العامل يوقّعها: انظر أعلاه.",
    ],
  },
};

export const healthPhrases = translations({
  parts: ["Parts", "الأجزاء"],
  ok: ["Everything works.", "كل شيء يعمل."],
  degraded: ["Some parts need attention: see the marked ones.", "شيء يحتاجك: انظر الأجزاء المعلّمة."],
  checked: ["Checked at {time}", "فُحص في {time}"],
  again: ["Check again", "افحص ثانية"],
  names: {
    database: ["Database", "قاعدة البيانات"],
    logStore: ["Log store", "مخزن السجلات"],
    worker: ["Worker", "العامل"],
    stream: ["Detection stream", "تدفق الكشف"],
    events: ["Events", "الأحداث"],
    clock: ["Clock", "الساعة"],
    disks: ["Disks", "الأقراص"],
    ledger: ["Ledger", "السجل الموثّق"],
    audit: ["Audit log", "سجل التدقيق"],
    devices: ["Revocation list of devices", "قائمة إبطال الأجهزة"],
  },
  jobs: {
    database: [
      "PostgreSQL: alerts, cases, users, everything but logs.",
      "PostgreSQL: التنبيهات والقضايا والمستخدمون وكل شيء سوى السجلات.",
    ],
    logStore: ["Stores and searches logs.", "يحفظ السجلات ويبحث فيها."],
    worker: [
      "Evaluates rules, runs playbooks, sends notifications.",
      "يقيّم القواعد ويشغّل أدلة الاستجابة ويرسل الإشعارات.",
    ],
    stream: ["How far the rules are behind the logs.", "كم تتأخر القواعد عن السجلات."],
    events: [
      "How late changes reach open pages, notifications and automations.",
      "كم تتأخر التغييرات عن الصفحات المفتوحة والإشعارات والأتمتة.",
    ],
    clock: [
      "Source of timestamps. It must agree with the clock of the database.",
      "ما تُختم به القيود، ويجب أن يوافق ساعة قاعدة البيانات.",
    ],
    disks: ["Disk space for logs, files and records.", "المساحة للسجلات والملفات والقيود."],
    ledger: ["The chain that proves evidence.", "السلسلة التي تثبت الأدلة."],
    audit: [
      "Adds audit entries to the ledger and sends them to their receivers.",
      "يضيف قيود التدقيق إلى السجل الموثّق ويرسلها إلى مستقبليها.",
    ],
    devices: ["What devices check before they trust each other.", "ما تتحقق منه الأجهزة قبل أن يثق بعضها ببعض."],
  },
  states: {
    up: ["works", "يعمل"],
    down: ["does not answer", "لا يستجيب"],
    off: ["not used in this mode", "لا يُستخدم في هذا الوضع"],
    restarted: ["works, but was restarted", "يعمل، لكنه أُعيد تشغيله"],
    behind: ["behind", "متأخر"],
    partial: ["some do not answer", "بعضها لا يستجيب"],
    wrong: ["wrong", "خاطئة"],
    unknown: ["not known", "غير معروف"],
    alarm: ["alarm", "إنذار"],
  },
  advice: ADVICE,
  restarts: [
    { one: "# restart in 24 h", other: "# restarts in 24 h" },
    {
      one: "إعادة تشغيل واحدة في 24 س",
      two: "إعادتا تشغيل في 24 س",
      few: "# إعادات تشغيل في 24 س",
      other: "# إعادة تشغيل في 24 س",
    },
  ],
  lastReason: ["the last one: {reason}", "آخرها: {reason}"],
  lag: ["{duration} behind", "متأخر {duration}"],
  offset: ["{duration} from the database's", "بفارق {duration} عن قاعدة البيانات"],
  missing: ["Not responding: {names}", "بلا استجابة: {names}"],
  place: ["Where it runs", "أين تعمل"],
  host: ["Host", "المضيف"],
  platform: ["System", "النظام"],
  deployment: ["Deployment", "التوزيع"],
  deployments: {
    one_box: ["one box: all processes on this host", "صندوق واحد: كل العمليات على هذا المضيف"],
    cluster: ["cluster: several hosts share the work", "عنقود: عدة مضيفين يتقاسمون العمل"],
  },
  sites: ["Sites", "المواقع"],
  ledger: ["Ledger", "السجل الموثّق"],
  treeSize: ["Signed entries", "قيود موقعة"],
  waiting: ["Waiting to be signed", "تنتظر التوقيع"],
  lastCheckpoint: ["Last checkpoint", "آخر نقطة تحقق"],
  checkedAt: ["Last checked", "آخر نظر"],
  fullyChecked: ["Last full check", "آخر فحص كامل"],
  faults: [
    { one: "# fault found.", other: "# faults found." },
    { zero: "لا خلل.", one: "خلل واحد.", two: "خللان.", few: "# أخطاء.", other: "# خطأ." },
  ],
  never: ["never", "أبدًا"],
  disk: ["Logs on the disk", "السجلات على القرص"],
  storage: ["Space used", "المساحة المستخدمة"],
  events: ["Stored logs", "السجلات المحفوظة"],
  perDay: ["New in 24 h", "الجديد في 24 س"],
  perEvent: ["Size per log", "كلفة السجل"],
  growth: ["Growth per day", "كلفة اليوم"],
  diskHint: [
    "The disk must hold a day times the days of retention, and half as much again.",
    "يجب أن يتسع القرص لكلفة اليوم مضروبة في أيام الحفظ، ومثل نصفها زيادة.",
  ],
});
