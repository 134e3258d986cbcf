import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { PartName, PartState } from "./health-parts.ts";

interface HealthPhrases {
  parts: string;
  ok: string;
  degraded: string;
  /** `{time}` */
  checked: string;
  again: string;
  names: Readonly<Record<PartName, string>>;
  jobs: Readonly<Record<PartName, string>>;
  states: Readonly<Record<PartState, string>>;
  /** What to do, by part and state; nothing where there is nothing to do. */
  advice: Readonly<Record<PartName, Partial<Readonly<Record<PartState, string>>>>>;
  restarts: PluralForms;
  /** `{reason}` */
  lastReason: string;
  /** `{duration}` */
  lag: string;
  /** `{duration}` */
  offset: string;
  /** `{names}` */
  missing: string;
  place: string;
  host: string;
  platform: string;
  deployment: string;
  deployments: { one_box: string; cluster: string };
  sites: string;
  ledger: string;
  treeSize: string;
  waiting: string;
  lastCheckpoint: string;
  checkedAt: string;
  fullyChecked: string;
  faults: PluralForms;
  never: string;
  disk: string;
  storage: string;
  events: string;
  perDay: string;
  perEvent: string;
  growth: string;
  diskHint: string;
}

const english: HealthPhrases = {
  parts: "Parts",
  ok: "Everything works.",
  degraded: "Something needs you: see the parts that are marked.",
  checked: "Checked at {time}",
  again: "Check again",
  names: {
    database: "Database",
    logStore: "Log store",
    worker: "Worker",
    stream: "Detection stream",
    events: "Events",
    clock: "Clock",
    disks: "Disks",
    ledger: "Ledger",
    devices: "Revocation list of devices",
  },
  jobs: {
    database: "PostgreSQL: alerts, cases, users, everything but logs.",
    logStore: "Stores and searches logs.",
    worker: "Evaluates rules, runs playbooks, sends notifications.",
    stream: "How far the rules are behind the logs.",
    events: "How late changes reach open pages, notifications and automations.",
    clock: "What records are stamped with; it must agree with the database's.",
    disks: "Room for logs, files and records.",
    ledger: "The chain that proves evidence.",
    devices: "What devices check before they trust each other.",
  },
  states: {
    up: "works",
    down: "does not answer",
    off: "not used in this mode",
    restarted: "works, but was restarted",
    behind: "behind",
    partial: "some do not answer",
    wrong: "wrong",
    unknown: "not known",
    alarm: "alarm",
  },
  advice: {
    database: {
      down: "Start PostgreSQL, or check its address and the network. Pages show what they knew; the service connects again by itself.",
    },
    logStore: {
      down: "Logs wait with their senders and on this disk; nothing that was acknowledged is lost. Check whether the disk is full and whether the engine runs.",
      partial:
        "Searches name what is missing, and rules wait for it. Start these stores; nothing that was acknowledged is lost.",
      restarted: "Look for the reason: memory or disk are too small, or a search was too expensive.",
    },
    worker: {
      down: "No rule is evaluated and no playbook runs. Start the worker; if it ends again, its log says why.",
      restarted: "It recovered by itself. If it goes on, its log says why.",
    },
    stream: {
      behind: "Alerts come late. Look for expensive rules in Detections, or give the worker a second core.",
      unknown: "No worker leads the stream now. If that lasts a minute, start the worker.",
    },
    events: {
      behind: "Pages, notifications and automations learn of changes late. Look for old transactions in the database.",
    },
    clock: { wrong: "Nothing is written until it is right. Check the time service of this host and of the database." },
    disks: {
      alarm: 'Full: "data" is the data folder\'s, "database" PostgreSQL\'s. Make room; what was acknowledged is kept.',
    },
    ledger: {
      alarm:
        "Treat it as an incident: something has changed the database past the service. Keep a copy before you repair.",
    },
    devices: { alarm: "Devices stop trusting each other when the list expires. The worker signs it: see above." },
  },
  restarts: { one: "# restart in 24 h", other: "# restarts in 24 h" },
  lastReason: "the last one: {reason}",
  lag: "{duration} behind",
  offset: "{duration} from the database's",
  missing: "Without an answer: {names}",
  place: "Where it runs",
  host: "Host",
  platform: "System",
  deployment: "Deployment",
  deployments: { one_box: "one box: all processes on this host", cluster: "cluster: several hosts share the work" },
  sites: "Sites",
  ledger: "Ledger",
  treeSize: "Signed entries",
  waiting: "Waiting to be signed",
  lastCheckpoint: "Last checkpoint",
  checkedAt: "Last looked at",
  fullyChecked: "Last checked whole",
  faults: { one: "# fault found.", other: "# faults found." },
  never: "never",
  disk: "Logs on the disk",
  storage: "Space used",
  events: "Stored logs",
  perDay: "New in 24 h",
  perEvent: "One log costs",
  growth: "A day costs",
  diskHint: "The disk must hold a day times the days of retention, and half as much again.",
};

const arabic: HealthPhrases = {
  parts: "الأجزاء",
  ok: "كل شيء يعمل.",
  degraded: "شيء يحتاجك: انظر الأجزاء المعلّمة.",
  checked: "فُحص في {time}",
  again: "افحص ثانية",
  names: {
    database: "قاعدة البيانات",
    logStore: "مخزن السجلات",
    worker: "العامل",
    stream: "تدفق الكشف",
    events: "الأحداث",
    clock: "الساعة",
    disks: "الأقراص",
    ledger: "دفتر الإثبات",
    devices: "قائمة إبطال الأجهزة",
  },
  jobs: {
    database: "PostgreSQL: التنبيهات والقضايا والمستخدمون وكل شيء سوى السجلات.",
    logStore: "يحفظ السجلات ويبحث فيها.",
    worker: "يقيّم القواعد ويشغّل أدلة التشغيل ويرسل الإشعارات.",
    stream: "كم تتأخر القواعد عن السجلات.",
    events: "كم تتأخر التغييرات عن الصفحات المفتوحة والإشعارات والأتمتة.",
    clock: "ما تُختم به القيود، ويجب أن يوافق ساعة قاعدة البيانات.",
    disks: "المساحة للسجلات والملفات والقيود.",
    ledger: "السلسلة التي تثبت الأدلة.",
    devices: "ما تتحقق منه الأجهزة قبل أن يثق بعضها ببعض.",
  },
  states: {
    up: "يعمل",
    down: "لا يستجيب",
    off: "لا يُستخدم في هذا الوضع",
    restarted: "يعمل، لكنه أُعيد تشغيله",
    behind: "متأخر",
    partial: "بعضها لا يستجيب",
    wrong: "خاطئة",
    unknown: "غير معروف",
    alarm: "إنذار",
  },
  advice: {
    database: {
      down: "شغّل PostgreSQL، أو افحص عنوانها والشبكة. تعرض الصفحات ما عرفته، وتتصل الخدمة من جديد بنفسها.",
    },
    logStore: {
      down: "تنتظر السجلات عند مرسليها وعلى هذا القرص، ولا يضيع ما أُكّد استلامه. افحص هل امتلأ القرص وهل يعمل المحرك.",
      partial: "يسمّي البحث ما ينقص، وتنتظره القواعد. شغّل هذه المخازن، ولا يضيع ما أُكّد استلامه.",
      restarted: "ابحث عن السبب: الذاكرة أو القرص صغير، أو كان بحث مكلفًا.",
    },
    worker: {
      down: "لا تُقيّم قاعدة ولا يعمل دليل تشغيل. شغّل العامل، وإن انتهى ثانية فسجله يقول لماذا.",
      restarted: "تعافى بنفسه. وإن تكرر فسجله يقول لماذا.",
    },
    stream: {
      behind: "تتأخر التنبيهات. ابحث عن القواعد المكلفة في الكشف، أو أعطِ العامل نواة ثانية.",
      unknown: "لا عامل يقود التدفق الآن. إن دام ذلك دقيقة فشغّل العامل.",
    },
    events: { behind: "تعلم الصفحات والإشعارات والأتمتة بالتغييرات متأخرة. ابحث عن معاملات قديمة في قاعدة البيانات." },
    clock: { wrong: "لا يُكتب شيء حتى تصح. افحص خدمة الوقت على هذا المضيف وعند قاعدة البيانات." },
    disks: {
      alarm: 'ممتلئ: "data" قرص مجلد البيانات و"database" قرص PostgreSQL. أفسح مساحة، ولا يضيع ما أُكّد استلامه.',
    },
    ledger: { alarm: "عامله كحادث: غيّر شيء قاعدة البيانات من وراء الخدمة. احفظ نسخة قبل الإصلاح." },
    devices: { alarm: "تتوقف الأجهزة عن الثقة ببعضها حين تنتهي القائمة. العامل يوقّعها: انظر أعلاه." },
  },
  restarts: {
    one: "إعادة تشغيل واحدة في 24 س",
    two: "إعادتا تشغيل في 24 س",
    few: "# إعادات تشغيل في 24 س",
    other: "# إعادة تشغيل في 24 س",
  },
  lastReason: "آخرها: {reason}",
  lag: "متأخر {duration}",
  offset: "بفارق {duration} عن قاعدة البيانات",
  missing: "بلا استجابة: {names}",
  place: "أين تعمل",
  host: "المضيف",
  platform: "النظام",
  deployment: "التوزيع",
  deployments: { one_box: "صندوق واحد: كل العمليات على هذا المضيف", cluster: "عنقود: عدة مضيفين يتقاسمون العمل" },
  sites: "المواقع",
  ledger: "دفتر الإثبات",
  treeSize: "قيود موقعة",
  waiting: "تنتظر التوقيع",
  lastCheckpoint: "آخر نقطة تحقق",
  checkedAt: "آخر نظر",
  fullyChecked: "آخر فحص كامل",
  faults: { zero: "لا خلل.", one: "خلل واحد.", two: "خللان.", few: "# أخطاء.", other: "# خطأ." },
  never: "أبدًا",
  disk: "السجلات على القرص",
  storage: "المساحة المستخدمة",
  events: "السجلات المحفوظة",
  perDay: "الجديد في 24 س",
  perEvent: "كلفة السجل",
  growth: "كلفة اليوم",
  diskHint: "يجب أن يتسع القرص لكلفة اليوم مضروبة في أيام الحفظ، ومثل نصفها زيادة.",
};

export const healthPhrases: Translations<HealthPhrases> = { en: english, ar: arabic };
