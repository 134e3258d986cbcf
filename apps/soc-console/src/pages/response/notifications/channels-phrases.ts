import type { ChannelKind } from "@soc/service/contract/response/notifications/channels";
import type { DeliveryStatus } from "@soc/service/contract/response/notifications/deliveries";
import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { EventNoun } from "./channel-events.ts";

interface ChannelsPhrases {
  channels: string;
  newChannel: string;
  /** `{name}` */
  editTitle: string;
  edit: string;
  fields: {
    name: string;
    kind: string;
    address: string;
    events: string;
    state: string;
    secret: string;
    created: string;
  };
  kinds: Readonly<Record<ChannelKind, string>>;
  kindHints: Readonly<Record<ChannelKind, string>>;
  url: string;
  urlHint: string;
  urlKept: string;
  to: string;
  toHint: string;
  secretHint: string;
  secretKept: string;
  signed: string;
  unsigned: string;
  everythingOf: string;
  nouns: Readonly<Record<EventNoun, string>>;
  single: string;
  singleHint: string;
  /** `{events}` */
  wrongEvents: string;
  noEvents: string;
  on: string;
  off: string;
  turnOn: string;
  turnOff: string;
  turnedOn: string;
  turnedOff: string;
  create: string;
  save: string;
  created: string;
  changed: string;
  test: string;
  testing: string;
  testSent: string;
  testRecorded: string;
  /** `{error}` */
  testFailed: string;
  testWaits: string;
  deliveries: string;
  noDeliveries: string;
  statuses: Readonly<Record<DeliveryStatus, string>>;
  attempts: PluralForms;
  /** `{time}` */
  nextAttempt: string;
  remove: string;
  /** `{name}` */
  removeTitle: string;
  removeText: string;
  removed: string;
  empty: string;
  emptyText: string;
  leaves: string;
}

const english: ChannelsPhrases = {
  channels: "Channels",
  newChannel: "New channel",
  editTitle: "Change {name}",
  edit: "Change",
  fields: {
    name: "Name",
    kind: "Kind",
    address: "Goes to",
    events: "Informs about",
    state: "State",
    secret: "Signature",
    created: "Created",
  },
  kinds: { webhook: "Webhook", email: "E-mail", chat: "Chat" },
  kindHints: {
    webhook: "A JSON document to an address of yours, signed when you set a secret.",
    email: "A text to mail addresses, by the mail server of the service.",
    chat: "A text to the incoming webhook of a chat room.",
  },
  url: "Address",
  urlHint: "https. It is stored encrypted and never shown again.",
  urlKept: "Empty keeps the present one. It is never shown.",
  to: "Mail addresses",
  toHint: "Separated by spaces or lines.",
  secretHint: "16 characters or more; the receiver checks the signature with it. Never shown again.",
  secretKept: "Empty keeps the present one.",
  signed: "signed with a secret",
  unsigned: "not signed",
  everythingOf: "Everything about",
  nouns: {
    alert: "Alerts",
    case: "Cases",
    evidence: "Evidence",
    approval: "Approvals",
    playbook: "Playbooks",
    execution: "Runs",
    automation: "Automations",
    endpoint: "Endpoints",
    device: "Devices",
    attestation: "Attestations",
    rule: "Rules",
    report: "Reports",
    ioc: "Indicators",
    agent: "Agents",
  },
  single: "Single events",
  singleHint: "Such as case.created or approval.escalated, separated by spaces.",
  wrongEvents: "No such event: {events}",
  noEvents: "nothing by itself, only what playbooks send",
  on: "on",
  off: "off",
  turnOn: "Turn on",
  turnOff: "Turn off",
  turnedOn: "The channel is on.",
  turnedOff: "The channel is off: nothing is sent.",
  create: "Create",
  save: "Save",
  created: "The channel exists. Test it now.",
  changed: "Changed.",
  test: "Send a test ↗",
  testing: "The test is on its way…",
  testSent: "The test was accepted by the receiver.",
  testRecorded: "Dry run: the test was recorded and not sent.",
  testFailed: "The test was not accepted: {error}",
  testWaits: "Not accepted yet; the service tries again. See the deliveries.",
  deliveries: "Deliveries",
  noDeliveries: "Nothing was sent yet.",
  statuses: { queued: "waits", sent: "sent", recorded: "recorded, not sent", dead: "given up" },
  attempts: { one: "# attempt", other: "# attempts" },
  nextAttempt: "next {time}",
  remove: "Delete",
  removeTitle: "Delete {name}?",
  removeText: "Its deliveries are deleted, too. Playbooks that send to it fail at that step.",
  removed: "The channel is deleted.",
  empty: "No channels",
  emptyText: "A channel brings alerts, cases or approvals to where people look: a webhook, a mailbox or a chat room.",
  leaves: "What a channel sends leaves this platform.",
};

const arabic: ChannelsPhrases = {
  channels: "القنوات",
  newChannel: "قناة جديدة",
  editTitle: "تغيير {name}",
  edit: "غيّر",
  fields: {
    name: "الاسم",
    kind: "النوع",
    address: "تذهب إلى",
    events: "تُعلم بـ",
    state: "الحالة",
    secret: "التوقيع",
    created: "أُنشئت",
  },
  kinds: { webhook: "Webhook", email: "بريد", chat: "دردشة" },
  kindHints: {
    webhook: "وثيقة JSON إلى عنوان لك، موقعة إن وضعت سرًّا.",
    email: "نص إلى عناوين بريد، عبر خادم بريد الخدمة.",
    chat: "نص إلى عنوان استقبال غرفة دردشة.",
  },
  url: "العنوان",
  urlHint: "https. يُحفظ مشفرًا ولا يُعرض ثانية أبدًا.",
  urlKept: "الفراغ يبقي الحالي. لا يُعرض أبدًا.",
  to: "عناوين البريد",
  toHint: "تفصلها مسافات أو أسطر.",
  secretHint: "16 حرفًا أو أكثر، يتحقق به المستقبل من التوقيع. لا يُعرض ثانية.",
  secretKept: "الفراغ يبقي الحالي.",
  signed: "موقعة بسر",
  unsigned: "غير موقعة",
  everythingOf: "كل شيء عن",
  nouns: {
    alert: "التنبيهات",
    case: "القضايا",
    evidence: "الأدلة",
    approval: "الموافقات",
    playbook: "أدلة التشغيل",
    execution: "التشغيلات",
    automation: "الأتمتة",
    endpoint: "الأطراف",
    device: "الأجهزة",
    attestation: "الإثباتات",
    rule: "القواعد",
    report: "التقارير",
    ioc: "المؤشرات",
    agent: "الوكلاء",
  },
  single: "أحداث مفردة",
  singleHint: "مثل case.created أو approval.escalated، تفصلها مسافات.",
  wrongEvents: "لا حدث بهذا الاسم: {events}",
  noEvents: "لا شيء من نفسها، بل ما ترسله أدلة التشغيل",
  on: "تعمل",
  off: "متوقفة",
  turnOn: "شغّل",
  turnOff: "أوقف",
  turnedOn: "القناة تعمل.",
  turnedOff: "القناة متوقفة: لا يُرسل شيء.",
  create: "أنشئ",
  save: "احفظ",
  created: "القناة موجودة. اختبرها الآن.",
  changed: "تم التغيير.",
  test: "أرسل اختبارًا ↗",
  testing: "الاختبار في الطريق…",
  testSent: "قبل المستقبل الاختبار.",
  testRecorded: "تشغيل جاف: سُجّل الاختبار ولم يُرسل.",
  testFailed: "لم يُقبل الاختبار: {error}",
  testWaits: "لم يُقبل بعد، والخدمة تعيد المحاولة. انظر الإرساليات.",
  deliveries: "الإرساليات",
  noDeliveries: "لم يُرسل شيء بعد.",
  statuses: { queued: "تنتظر", sent: "أُرسلت", recorded: "سُجلت ولم تُرسل", dead: "تُركت" },
  attempts: { one: "محاولة واحدة", two: "محاولتان", few: "# محاولات", other: "# محاولة" },
  nextAttempt: "التالية {time}",
  remove: "احذف",
  removeTitle: "حذف {name}؟",
  removeText: "تُحذف إرسالياتها أيضًا. وأدلة التشغيل التي ترسل إليها تفشل عند تلك الخطوة.",
  removed: "حُذفت القناة.",
  empty: "لا قنوات",
  emptyText: "توصل القناة التنبيهات أو القضايا أو الموافقات إلى حيث ينظر الناس: Webhook أو بريد أو غرفة دردشة.",
  leaves: "ما ترسله القناة يغادر هذه المنصة.",
};

export const channelsPhrases: Translations<ChannelsPhrases> = { en: english, ar: arabic };
