import type { MonitoringBody, MonitoringState, SentKind } from "@player/service/contract/monitoring";
import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";
import type { EnrolTrouble } from "./enrol-trouble.ts";

export interface MonitoringPhrases {
  title: string;
  states: Readonly<Record<MonitoringState, { title: string; hint: string }>>;
  status: string;
  address: string;
  deviceId: string;
  certificateEnds: string;
  connection: string;
  connections: Readonly<Record<MonitoringBody["broker"], string>>;
  lastAttested: string;
  never: string;
  eventsWaiting: string;
  events: PluralForms;
  /** `#`: events that were lost. */
  dropped: PluralForms;
  none: string;
  reason: string;

  about: string;
  aboutHint: string;
  whatIsSent: string;
  sentThings: readonly string[];
  neverSent: string;
  neverThings: readonly string[];

  enrol: string;
  enrolHint: string;
  addressHint: string;
  code: string;
  codeHint: string;
  fingerprint: string;
  fingerprintHint: string;
  missing: string;
  enrolNow: string;
  enrolled: string;
  troubles: Readonly<Record<EnrolTrouble, string>>;

  remove: string;
  removeAsk: string;
  removeHint: string;
  removeNow: string;
  keep: string;
  removed: string;
  /** `{device_id}`, `{address}`. */
  platformKeeps: string;
  messages: PluralForms;
  platformDeletes: string;

  sent: string;
  sentHint: string;
  sentNothing: string;
  kinds: Readonly<Record<SentKind, string>>;
  /** `{time}` and `{size}`. */
  sentAt: string;
  notDelivered: string;
  older: string;
  /** `#` and `{time}`. */
  olderRemoved: PluralForms;
}

const english: MonitoringPhrases = {
  title: "Security monitoring",
  states: {
    off: { title: "Off", hint: "No security platform knows this player, and nothing is sent." },
    enrolling: { title: "Enrolling…", hint: "The player is contacting the platform." },
    on: { title: "On", hint: "The platform checks this player's software and receives its security events." },
    waiting: { title: "On, waiting", hint: "The platform cannot be reached now. The player tries again by itself." },
    expired: {
      title: "Needs a new code",
      hint: "The player was off or offline for too long. Ask the platform's administrator for a new code.",
    },
    refused: {
      title: "Refused by the platform",
      hint: "The platform has revoked this player. It asks again once an hour. Remove it, or enrol it again with a new code.",
    },
  },
  status: "Status",
  address: "Platform address",
  deviceId: "Known there as",
  certificateEnds: "Certificate valid until",
  connection: "Connection",
  connections: { none: "Not needed", connecting: "Connecting…", connected: "Connected" },
  lastAttested: "Last software check",
  never: "Not yet",
  eventsWaiting: "Events to send",
  events: { one: "# event", other: "# events" },
  dropped: { one: "# lost", other: "# lost" },
  none: "None",
  reason: "Reason:",

  about: "What this means",
  aboutHint:
    "An organisation such as a school can watch over the security of its players. You decide, and you can end it at any time.",
  whatIsSent: "Sent",
  sentThings: [
    "Which software runs, signed by this player",
    "Wrong tokens, counted per minute",
    "Factory resets and firmware updates",
    "Parts that did not start",
  ],
  neverSent: "Never sent",
  neverThings: [
    "What you listen to, and when",
    "Your place, schedules and cards",
    "Who uses the player, or their addresses",
  ],

  enrol: "Enrol this player",
  enrolHint: "The platform's administrator gives you these three.",
  addressHint: "For example soc.example.org:8444",
  code: "One-time code",
  codeHint: "Works once, for 15 minutes.",
  fingerprint: "Authority fingerprint",
  fingerprintHint: "64 digits and letters. The player trusts only the platform that has it.",
  missing: "Please fill this in.",
  enrolNow: "Enrol",
  enrolled: "The player is enrolled.",
  troubles: {
    address: "Enter the name or number of the server, a colon and the port.",
    forbidden: "The player may not connect to this address.",
    unreachable: "The platform cannot be reached at this address.",
    otherName: "The server at this address is not the platform: its certificate is for another name.",
    fingerprint: "The fingerprint has 64 characters: 0 to 9 and a to f.",
    otherAuthority:
      "The platform at this address has another fingerprint. Check both with the administrator. Nothing was sent.",
    code: "The platform does not accept this code. Ask for a new one.",
    clock: "Set the player's clock first: Settings, Time.",
  },

  remove: "Remove",
  removeAsk: "Remove this player from the platform?",
  removeHint:
    "The key, the certificate, waiting events and the list below are erased from this player. Nothing more is sent.",
  removeNow: "Remove",
  keep: "Keep",
  removed: "Monitoring is off, and everything about it is erased here.",
  platformKeeps: "The platform at {address} still knows this player as {device_id} and keeps what it received:",
  messages: { one: "# message", other: "# messages" },
  platformDeletes: "Only its administrator can delete that.",

  sent: "Everything that was sent",
  sentHint: "Word for word, the newest first.",
  sentNothing: "Nothing was sent.",
  kinds: {
    enrolment: "Enrolment",
    renewal: "Certificate renewal",
    receipt: "Confirmation of a check",
    answer: "Answer to a software check",
    events: "Security events",
  },
  sentAt: "{time}, {size}",
  notDelivered: "not confirmed",
  older: "Show older",
  olderRemoved: {
    one: "# older message, until {time}, is not listed any more.",
    other: "# older messages, until {time}, are not listed any more.",
  },
};

const arabic: MonitoringPhrases = {
  title: "المراقبة الأمنية",
  states: {
    off: { title: "متوقفة", hint: "لا تعرف أي منصة أمنية هذا المشغّل، ولا يُرسل شيء." },
    enrolling: { title: "جارٍ التسجيل…", hint: "يتصل المشغّل بالمنصة." },
    on: { title: "تعمل", hint: "تفحص المنصة برمجيات هذا المشغّل وتستلم أحداثه الأمنية." },
    waiting: {
      title: "تعمل، في الانتظار",
      hint: "لا يمكن الوصول إلى المنصة الآن. يعيد المشغّل المحاولة من تلقاء نفسه.",
    },
    expired: {
      title: "تحتاج إلى رمز جديد",
      hint: "كان المشغّل مطفأً أو غير متصل مدة طويلة. اطلب رمزًا جديدًا من مدير المنصة.",
    },
    refused: {
      title: "رفضته المنصة",
      hint: "ألغت المنصة تسجيل هذا المشغّل، وهو يسأل مرة كل ساعة. أزله، أو سجّله من جديد برمز جديد.",
    },
  },
  status: "الحالة",
  address: "عنوان المنصة",
  deviceId: "معروف هناك باسم",
  certificateEnds: "الشهادة صالحة حتى",
  connection: "الاتصال",
  connections: { none: "غير لازم", connecting: "جارٍ الاتصال…", connected: "متصل" },
  lastAttested: "آخر فحص للبرمجيات",
  never: "لم يتم بعد",
  eventsWaiting: "أحداث بانتظار الإرسال",
  events: { one: "حدث واحد", two: "حدثان", few: "# أحداث", many: "# حدثًا", other: "# حدث" },
  dropped: { one: "فُقد واحد", two: "فُقد اثنان", few: "فُقدت #", many: "فُقد #", other: "فُقد #" },
  none: "لا شيء",
  reason: "السبب:",

  about: "ما معنى هذا",
  aboutHint: "تستطيع جهة كالمدرسة أن تتابع أمان مشغّلاتها. القرار لك، ويمكنك إنهاء ذلك متى شئت.",
  whatIsSent: "ما يُرسل",
  sentThings: [
    "البرمجيات التي تعمل، موقّعة من هذا المشغّل",
    "الرموز الخاطئة، معدودة كل دقيقة",
    "إعادة الضبط وتحديثات البرنامج",
    "الأجزاء التي لم تبدأ",
  ],
  neverSent: "ما لا يُرسل أبدًا",
  neverThings: ["ما تستمع إليه ومتى", "مكانك ومواعيدك وبطاقاتك", "من يستعمل المشغّل وعناوينهم"],

  enrol: "سجّل هذا المشغّل",
  enrolHint: "يعطيك مدير المنصة هذه الثلاثة.",
  addressHint: "مثل \u2066soc.example.org:8444\u2069",
  code: "رمز لمرة واحدة",
  codeHint: "يعمل مرة واحدة خلال ١٥ دقيقة.",
  fingerprint: "بصمة سلطة الشهادات",
  fingerprintHint: "٦٤ رقمًا وحرفًا. لا يثق المشغّل إلا بالمنصة التي لها هذه البصمة.",
  missing: "املأ هذا الحقل.",
  enrolNow: "سجّل",
  enrolled: "سُجّل المشغّل.",
  troubles: {
    address: "أدخل اسم الخادم أو رقمه، ثم نقطتين، ثم المنفذ.",
    forbidden: "لا يُسمح للمشغّل بالاتصال بهذا العنوان.",
    unreachable: "لا يمكن الوصول إلى المنصة على هذا العنوان.",
    otherName: "الخادم على هذا العنوان ليس المنصة: شهادته لاسم آخر.",
    fingerprint: "البصمة من ٦٤ علامة: من 0 إلى 9 ومن a إلى f.",
    otherAuthority: "للمنصة على هذا العنوان بصمة أخرى. راجع الاثنين مع المدير. لم يُرسل شيء.",
    code: "لا تقبل المنصة هذا الرمز. اطلب رمزًا جديدًا.",
    clock: "اضبط ساعة المشغّل أولًا: الإعدادات، ثم «الوقت».",
  },

  remove: "إزالة",
  removeAsk: "هل تريد إزالة هذا المشغّل من المنصة؟",
  removeHint: "يُمحى من هذا المشغّل المفتاح والشهادة والأحداث المنتظرة والقائمة أدناه، ولا يُرسل شيء بعد ذلك.",
  removeNow: "أزل",
  keep: "أبقِ",
  removed: "المراقبة متوقفة، ومُحي هنا كل ما يتعلق بها.",
  platformKeeps: "ما زالت المنصة على {address} تعرف هذا المشغّل باسم {device_id} وتحتفظ بما استلمته:",
  messages: { one: "رسالة واحدة", two: "رسالتان", few: "# رسائل", many: "# رسالة", other: "# رسالة" },
  platformDeletes: "لا يستطيع حذف ذلك إلا مديرها.",

  sent: "كل ما أُرسل",
  sentHint: "حرفيًا، والأحدث أولًا.",
  sentNothing: "لم يُرسل شيء.",
  kinds: {
    enrolment: "التسجيل",
    renewal: "تجديد الشهادة",
    receipt: "تأكيد وصول فحص",
    answer: "جواب فحص البرمجيات",
    events: "أحداث أمنية",
  },
  sentAt: "{time}، {size}",
  notDelivered: "غير مؤكدة",
  older: "أظهر الأقدم",
  olderRemoved: {
    one: "رسالة أقدم واحدة، حتى {time}، لم تعد في القائمة.",
    two: "رسالتان أقدم، حتى {time}، لم تعودا في القائمة.",
    few: "# رسائل أقدم، حتى {time}، لم تعد في القائمة.",
    many: "# رسالة أقدم، حتى {time}، لم تعد في القائمة.",
    other: "# رسالة أقدم، حتى {time}، لم تعد في القائمة.",
  },
};

export const monitoringPhrases: Translations<MonitoringPhrases> = { en: english, ar: arabic };
