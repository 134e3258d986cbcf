import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { EdrAction, Endpoint, Verb } from "./edr-client.ts";

export interface EdrPhrases {
  title: string;
  group: string;
  back: string;
  views: { label: string; all: string; pending: string; isolated: string; online: string; offline: string };
  filter: string;
  search: string;
  anySite: string;
  anyOs: string;
  columns: { host: string; os: string; site: string; agent: string; seen: string; risk: string; isolation: string };
  status: Readonly<Record<Endpoint["status"], string>>;
  states: Readonly<Record<Endpoint["isolation"]["reported"], string>>;
  wanted: string;
  reported: string;
  pending: string;
  agree: string;
  differ: string;
  /** `{age}` */
  since: string;
  /** `{age}` */
  lastReport: string;
  noAction: string;
  /** `{time}` */
  releaseAt: string;
  releaseNever: string;
  adapter: {
    label: string;
    none: string;
    closed: string;
    half_open: string;
    open: string;
    /** `{time}` */
    openSince: string;
    waiting: PluralForms;
  };
  verbs: Readonly<Record<Verb, string>>;
  previews: Readonly<Record<Verb, string>>;
  titles: Readonly<Record<Verb, string>>;
  willHappen: string;
  /** `{host}` */
  effects: Readonly<Record<Verb, string>>;
  /** `{time}` */
  effectEnds: string;
  effectEndless: string;
  /** `{time}` */
  effectReplaces: string;
  leaves: string;
  byHand: string;
  fourEyes: string;
  reason: string;
  reasonHint: string;
  reasonMissing: string;
  caseLabel: string;
  noCase: string;
  releaseAfter: string;
  releases: Readonly<Record<"60" | "240" | "720" | "1440" | "10080" | "never", string>>;
  cancel: string;
  close: string;
  done: Readonly<Record<EdrAction["status"], string>>;
  waitsForApproval: string;
  openApproval: string;
  facts: string;
  address: string;
  actions: string;
  noActions: string;
  statuses: Readonly<Record<EdrAction["status"], string>>;
  simulated: string;
  /** `{name}`, `{time}` */
  askedBy: string;
  /** `{time}` */
  ended: string;
  alerts: string;
  noAlerts: string;
  cases: string;
  noCases: string;
  logs: string;
  noLogs: string;
  huntLogs: string;
  everything: string;
  isolationTitle: string;
  empty: string;
  emptyText: string;
  notRead: string;
}

const english: EdrPhrases = {
  title: "Endpoints",
  group: "Endpoint",
  back: "All endpoints",
  views: { label: "Views", all: "All", pending: "Pending", isolated: "Isolated", online: "Online", offline: "Offline" },
  filter: "Filter endpoints",
  search: "Host name, or the beginning of an address",
  anySite: "Any site",
  anyOs: "Any system",
  columns: {
    host: "Host",
    os: "System",
    site: "Site",
    agent: "Agent",
    seen: "Seen",
    risk: "Risk",
    isolation: "Wanted → reported",
  },
  status: { online: "online", offline: "offline" },
  states: { normal: "normal", isolated: "isolated", unknown: "unknown" },
  wanted: "Wanted",
  reported: "Reported",
  pending: "pending",
  agree: "The host is as it is wanted.",
  differ: "The host is not yet as it is wanted, or has not reported it.",
  since: "asked {age}",
  lastReport: "last report {age}",
  noAction: "nothing was asked",
  releaseAt: "released by itself at {time}",
  releaseNever: "stays until a person releases it",
  adapter: {
    label: "Adapter",
    none: "No EDR adapter. Actions are recorded: do them by hand.",
    closed: "The EDR adapter answers.",
    half_open: "The EDR adapter is tried again.",
    open: "The EDR adapter does not answer: actions wait.",
    openSince: "The EDR adapter does not answer: nothing sent since {time}, actions wait.",
    waiting: { one: "# action waits", other: "# actions wait" },
  },
  verbs: { isolate: "Isolate", unisolate: "Release", scan: "Scan" },
  previews: { isolate: "Preview isolation", unisolate: "Preview release", scan: "Preview scan" },
  titles: { isolate: "Isolate a host", unisolate: "Release a host", scan: "Scan a host" },
  willHappen: "Will happen",
  effects: {
    isolate: "{host} loses the network, except the connection to its EDR.",
    unisolate: "{host} gets back into the network.",
    scan: "{host} is scanned by its EDR agent.",
  },
  effectEnds: "It is released by itself at {time}.",
  effectEndless: "It stays isolated until a person releases it.",
  effectReplaces: "It is isolated already, until {time}: this sets another end.",
  leaves: "Leaves the platform: a signed request to the EDR adapter.",
  byHand: "Nothing is sent: there is no adapter. It is recorded, and a person does it by hand.",
  fourEyes: "With four eyes, another person approves it first.",
  reason: "Reason",
  reasonHint: "Stands in the record of the action and in the audit.",
  reasonMissing: "Say why.",
  caseLabel: "Case",
  noCase: "No case",
  releaseAfter: "Release after",
  releases: {
    "60": "1 hour",
    "240": "4 hours",
    "720": "12 hours",
    "1440": "1 day",
    "10080": "7 days",
    never: "Not by itself",
  },
  cancel: "Cancel",
  close: "Close",
  done: {
    completed: "Done.",
    dispatched: "Sent to the adapter; its answer is awaited.",
    recorded: "Recorded: do it by hand.",
    blocked: "The adapter has refused it.",
  },
  waitsForApproval: "Another person must approve it first.",
  openApproval: "Open the approval",
  facts: "Facts",
  address: "Address",
  actions: "Actions",
  noActions: "Nothing was done to this host yet.",
  statuses: {
    completed: "done",
    dispatched: "waits for the adapter",
    recorded: "recorded: do it by hand",
    blocked: "not carried out",
  },
  simulated: "preview",
  askedBy: "{name}, {time}",
  ended: "ended {time}",
  alerts: "Alerts",
  noAlerts: "No alert names this host.",
  cases: "Cases",
  noCases: "No case has an alert of this host.",
  logs: "Logs",
  noLogs: "No logs in 24 hours.",
  huntLogs: "Search its logs",
  everything: "Everything about this host",
  isolationTitle: "Isolation",
  empty: "No endpoint has reported yet",
  emptyText:
    "An EDR agent registers its host with the first heartbeat: PUT /api/v1/edr/endpoints/{id} with an API key.",
  notRead: "Could not be read in time.",
};

const arabic: EdrPhrases = {
  title: "الأجهزة الطرفية",
  group: "جهاز طرفي",
  back: "كل الأجهزة الطرفية",
  views: {
    label: "العروض",
    all: "الكل",
    pending: "قيد الانتظار",
    isolated: "معزولة",
    online: "متصلة",
    offline: "غير متصلة",
  },
  filter: "ترشيح الأجهزة",
  search: "اسم الجهاز، أو بداية عنوانه",
  anySite: "أي موقع",
  anyOs: "أي نظام",
  columns: {
    host: "الجهاز",
    os: "النظام",
    site: "الموقع",
    agent: "الوكيل",
    seen: "آخر ظهور",
    risk: "الخطر",
    isolation: "المطلوب ← المُبلَّغ",
  },
  status: { online: "متصل", offline: "غير متصل" },
  states: { normal: "عادي", isolated: "معزول", unknown: "غير معروف" },
  wanted: "المطلوب",
  reported: "المُبلَّغ",
  pending: "قيد الانتظار",
  agree: "حال الجهاز كما هو مطلوب.",
  differ: "حال الجهاز ليس كما هو مطلوب بعد، أو لم يبلّغ عنه.",
  since: "طُلب {age}",
  lastReport: "آخر بلاغ {age}",
  noAction: "لم يُطلب شيء",
  releaseAt: "يُفكّ عزله تلقائيًا في {time}",
  releaseNever: "يبقى حتى يفكّ شخصٌ عزله",
  adapter: {
    label: "المحوّل",
    none: "لا محوّل EDR. تُسجَّل الإجراءات: نفّذها يدويًا.",
    closed: "محوّل EDR يستجيب.",
    half_open: "تُعاد تجربة محوّل EDR.",
    open: "محوّل EDR لا يستجيب: الإجراءات تنتظر.",
    openSince: "محوّل EDR لا يستجيب: لم يُرسل شيء منذ {time}، الإجراءات تنتظر.",
    waiting: { one: "إجراء واحد ينتظر", two: "إجراءان ينتظران", few: "# إجراءات تنتظر", other: "# إجراءً ينتظر" },
  },
  verbs: { isolate: "اعزل", unisolate: "فكّ العزل", scan: "افحص" },
  previews: { isolate: "عاين العزل", unisolate: "عاين فك العزل", scan: "عاين الفحص" },
  titles: { isolate: "عزل جهاز", unisolate: "فك عزل جهاز", scan: "فحص جهاز" },
  willHappen: "ما سيحدث",
  effects: {
    isolate: "يفقد {host} الشبكة، إلا اتصاله بنظام EDR.",
    unisolate: "يعود {host} إلى الشبكة.",
    scan: "يفحص وكيل EDR الجهاز {host}.",
  },
  effectEnds: "يُفكّ عزله تلقائيًا في {time}.",
  effectEndless: "يبقى معزولًا حتى يفكّ شخصٌ عزله.",
  effectReplaces: "هو معزول الآن حتى {time}: هذا يحدد نهاية أخرى.",
  leaves: "يغادر المنصة: طلب موقّع إلى محوّل EDR.",
  byHand: "لا يُرسل شيء: لا يوجد محوّل. يُسجَّل، وينفّذه شخص يدويًا.",
  fourEyes: "مع مبدأ العيون الأربع يوافق عليه شخص آخر أولًا.",
  reason: "السبب",
  reasonHint: "يُكتب في سجل الإجراء وفي سجل التدقيق.",
  reasonMissing: "اذكر السبب.",
  caseLabel: "القضية",
  noCase: "بلا قضية",
  releaseAfter: "فك العزل بعد",
  releases: {
    "60": "ساعة",
    "240": "4 ساعات",
    "720": "12 ساعة",
    "1440": "يوم",
    "10080": "7 أيام",
    never: "ليس تلقائيًا",
  },
  cancel: "إلغاء",
  close: "إغلاق",
  done: {
    completed: "تم.",
    dispatched: "أُرسل إلى المحوّل؛ وجوابه منتظر.",
    recorded: "سُجّل: نفّذه يدويًا.",
    blocked: "رفضه المحوّل.",
  },
  waitsForApproval: "يجب أن يوافق عليه شخص آخر أولًا.",
  openApproval: "افتح طلب الموافقة",
  facts: "حقائق",
  address: "العنوان",
  actions: "الإجراءات",
  noActions: "لم يُتخذ إجراء على هذا الجهاز بعد.",
  statuses: {
    completed: "تم",
    dispatched: "ينتظر المحوّل",
    recorded: "سُجّل: نفّذه يدويًا",
    blocked: "لم يُنفَّذ",
  },
  simulated: "معاينة",
  askedBy: "{name}، {time}",
  ended: "انتهى {time}",
  alerts: "التنبيهات",
  noAlerts: "لا تنبيه يذكر هذا الجهاز.",
  cases: "القضايا",
  noCases: "لا قضية فيها تنبيه عن هذا الجهاز.",
  logs: "السجلات",
  noLogs: "لا سجلات خلال 24 ساعة.",
  huntLogs: "ابحث في سجلاته",
  everything: "كل شيء عن هذا الجهاز",
  isolationTitle: "العزل",
  empty: "لم يبلّغ أي جهاز بعد",
  emptyText: "يسجّل وكيل EDR جهازه بأول نبضة: PUT /api/v1/edr/endpoints/{id} بمفتاح API.",
  notRead: "تعذّرت قراءته في الوقت المحدد.",
};

export const edrPhrases: Translations<EdrPhrases> = { en: english, ar: arabic };
