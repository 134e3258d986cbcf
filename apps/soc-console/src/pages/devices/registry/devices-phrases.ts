import type { Translations } from "../../../app/language/translations.ts";
import type { Attestation, Device, Verdict } from "./devices-client.ts";
import type { Why } from "./verdicts.ts";

export interface DevicesPhrases {
  title: string;
  group: string;
  back: string;
  views: { label: string; all: string };
  other: { label: string; firmware: string; correlations: string };
  verdicts: Readonly<Record<Verdict, string>>;
  notAttested: string;
  kinds: Readonly<Record<Attestation["kind"], string>>;
  kindMeanings: Readonly<Record<Attestation["kind"], string>>;
  why: Readonly<Record<Exclude<Why["kind"], "reason">, string>>;
  noReason: string;
  statuses: Readonly<Record<Device["status"], string>>;
  columns: {
    verdict: string;
    name: string;
    why: string;
    firmware: string;
    certificate: string;
    answered: string;
    status: string;
  };
  byHour: string;
  /** `{count}`, `{time}` */
  byHourPart: string;
  filter: string;
  search: string;
  anyStatus: string;
  anyType: string;
  anySite: string;
  type: string;
  site: string;
  lastSeen: string;
  /** `{age}` */
  ends: string;
  /** `{age}` */
  ended: string;
  certificateStatuses: Readonly<Record<NonNullable<Device["certificate"]>["status"], string>>;
  noCertificate: string;
  noCertificateText: string;
  serial: string;
  fingerprint: string;
  validUntil: string;
  firmwareKnown: string;
  firmwareUnknown: string;
  noFirmware: string;
  hash: string;
  version: string;
  catalog: string;
  attestations: string;
  strip: string;
  noAttestations: string;
  noAttestationsText: string;
  pcrDifference: string;
  pcr: string;
  expected: string;
  present: string;
  components: string;
  absent: string;
  noDifference: string;
  quotedNotKept: string;
  correlations: string;
  noCorrelations: string;
  events: string;
  everything: string;
  attest: string;
  attestPreview: string;
  attestAsked: string;
  revoke: string;
  revokePreview: string;
  revokeTitle: string;
  willHappen: string;
  /** `{name}` */
  effect: string;
  effectProof: string;
  effectAgain: string;
  fourEyes: string;
  because: string;
  revokeDone: string;
  revokeWaits: string;
  waitsForApproval: string;
  openApproval: string;
  proof: {
    title: string;
    asked: string;
    /** `{name}`, `{time}` */
    askedBy: string;
    list: string;
    listDone: string;
    listWaits: string;
    broker: string;
    brokerDone: string;
    brokerNone: string;
    brokerWaits: string;
    /** `{time}` */
    at: string;
  };
  cancel: string;
  close: string;
  empty: string;
  emptyText: string;
}

const english: DevicesPhrases = {
  title: "Devices",
  group: "Device",
  back: "All devices",
  views: { label: "By verdict", all: "All" },
  other: { label: "About devices", firmware: "Firmware catalog", correlations: "Correlations" },
  verdicts: { trusted: "trusted", untrusted: "untrusted", stale: "stale", failed: "failed" },
  notAttested: "not attested",
  kinds: { tpm: "TPM", software: "software" },
  kindMeanings: {
    tpm: "Proved by its TPM: a chip has signed what was started.",
    software: "Said by its software: shows neglect and mistakes, not an intruder who owns the device.",
  },
  why: {
    revoking: "being revoked: the broker has not confirmed it yet",
    revoked: "its certificate is on the revocation list",
    never: "has not attested yet",
    expired: "its certificate has ended",
    offline: "not seen for a day",
    fine: "",
  },
  noReason: "the reason was not found",
  statuses: {
    active: "active",
    quarantined: "quarantined",
    revoking: "revoking",
    revoked: "revoked",
    offline: "offline",
  },
  columns: {
    verdict: "Verdict",
    name: "Device",
    why: "Why",
    firmware: "Firmware",
    certificate: "Certificate",
    answered: "Answered",
    status: "Status",
  },
  byHour: "Verdicts by hour",
  byHourPart: "The newest {count} attestations, since {time}.",
  filter: "Filter devices",
  search: "A part of the name",
  anyStatus: "Any status",
  anyType: "Any type",
  anySite: "Any site",
  type: "Type",
  site: "Site",
  lastSeen: "Last seen",
  ends: "ends {age}",
  ended: "ended {age}",
  certificateStatuses: { valid: "valid", expired: "expired", revoked: "revoked" },
  noCertificate: "none",
  noCertificateText: "The device has no certificate. Create a code to enrol it again.",
  serial: "Serial",
  fingerprint: "Fingerprint",
  validUntil: "Valid until",
  firmwareKnown: "in the catalog, known good",
  firmwareUnknown: "not in the catalog",
  noFirmware: "not measured yet",
  hash: "Hash",
  version: "Version",
  catalog: "Catalog",
  attestations: "Attestations",
  strip: "The last attestations, the newest at the end",
  noAttestations: "Not attested yet",
  noAttestationsText: "Devices are asked once an hour while a broker is configured. Ask this one now.",
  pcrDifference: "Differs from the firmware that was trusted last",
  pcr: "PCR",
  expected: "trusted",
  present: "now",
  components: "Components",
  absent: "absent",
  noDifference: "The catalog lists the same PCRs and components for both.",
  quotedNotKept: "The measured firmware is in no catalog: there is nothing to compare it with, value by value.",
  correlations: "Correlations",
  noCorrelations: "Nothing else belongs to its attestations.",
  events: "Search its events",
  everything: "Everything about this host",
  attest: "Attest now",
  attestPreview: "Preview attestation",
  attestAsked: "Asked. The answer counts for 60 seconds.",
  revoke: "Revoke",
  revokePreview: "Preview revocation",
  revokeTitle: "Revoke a device",
  willHappen: "Will happen",
  effect: "The certificate of {name} is revoked and its sessions are ended.",
  effectProof: "The page shows the proof: the certificate on the revocation list, and the broker seen to refuse it.",
  effectAgain: "It cannot be undone. The device gets in again only by an enrolment code.",
  fourEyes: "With four eyes, another person approves it first. A playbook revokes through the approval gate, too.",
  because: "Because",
  revokeDone: "Revoked: list and broker have confirmed it.",
  revokeWaits: "Revoking: the broker has not confirmed it yet.",
  waitsForApproval: "Another person must approve it first.",
  openApproval: "Open the approval",
  proof: {
    title: "Revocation",
    asked: "Asked",
    askedBy: "{name}, {time}",
    list: "Revocation list",
    listDone: "The certificate is on the signed list.",
    listWaits: "The list is being signed and written.",
    broker: "Broker",
    brokerDone: "It was seen to refuse what only this list revokes; the sessions were ended.",
    brokerNone: "None is configured: the platform's own device server refuses the certificate.",
    brokerWaits: "It has not refused it yet. The worker tries again every two seconds.",
    at: "confirmed {time}",
  },
  cancel: "Cancel",
  close: "Close",
  empty: "No device is enrolled yet",
  emptyText: "Create an enrolment code and enter it at the device.",
};

const arabic: DevicesPhrases = {
  title: "الأجهزة",
  group: "جهاز",
  back: "كل الأجهزة",
  views: { label: "بحسب الحكم", all: "الكل" },
  other: { label: "عن الأجهزة", firmware: "دليل البرامج الثابتة", correlations: "الارتباطات" },
  verdicts: { trusted: "موثوق", untrusted: "غير موثوق", stale: "بلا جواب", failed: "فاشل" },
  notAttested: "لم يُصادَق",
  kinds: { tpm: "TPM", software: "برمجي" },
  kindMeanings: {
    tpm: "أثبته TPM: وقّعت شريحة على ما بدأ تشغيله.",
    software: "قاله برنامجه: يُظهر الإهمال والأخطاء، لا متسللًا يملك الجهاز.",
  },
  why: {
    revoking: "يُلغى اعتماده: لم يؤكد الوسيط ذلك بعد",
    revoked: "شهادته في قائمة الإلغاء",
    never: "لم يُصادَق بعد",
    expired: "انتهت شهادته",
    offline: "لم يُر منذ يوم",
    fine: "",
  },
  noReason: "لم يُعثر على السبب",
  statuses: {
    active: "نشط",
    quarantined: "محجور",
    revoking: "قيد الإلغاء",
    revoked: "ملغى",
    offline: "غير متصل",
  },
  columns: {
    verdict: "الحكم",
    name: "الجهاز",
    why: "لماذا",
    firmware: "البرنامج الثابت",
    certificate: "الشهادة",
    answered: "أجاب",
    status: "الحالة",
  },
  byHour: "الأحكام بالساعة",
  byHourPart: "أحدث {count} مصادقة، منذ {time}.",
  filter: "ترشيح الأجهزة",
  search: "جزء من الاسم",
  anyStatus: "أي حالة",
  anyType: "أي نوع",
  anySite: "أي موقع",
  type: "النوع",
  site: "الموقع",
  lastSeen: "آخر ظهور",
  ends: "تنتهي {age}",
  ended: "انتهت {age}",
  certificateStatuses: { valid: "صالحة", expired: "منتهية", revoked: "ملغاة" },
  noCertificate: "لا شيء",
  noCertificateText: "ليس للجهاز شهادة. أنشئ رمزًا لتسجيله من جديد.",
  serial: "الرقم",
  fingerprint: "البصمة",
  validUntil: "صالحة حتى",
  firmwareKnown: "في الدليل، معروف سليم",
  firmwareUnknown: "ليس في الدليل",
  noFirmware: "لم يُقس بعد",
  hash: "البصمة",
  version: "الإصدار",
  catalog: "الدليل",
  attestations: "المصادقات",
  strip: "آخر المصادقات، الأحدث في النهاية",
  noAttestations: "لم يُصادَق بعد",
  noAttestationsText: "تُسأل الأجهزة مرة كل ساعة ما دام وسيط مضبوطًا. اسأل هذا الآن.",
  pcrDifference: "يختلف عن البرنامج الذي وُثق به آخر مرة",
  pcr: "PCR",
  expected: "الموثوق",
  present: "الآن",
  components: "المكوّنات",
  absent: "غائب",
  noDifference: "الدليل يذكر القيم والمكوّنات نفسها لكليهما.",
  quotedNotKept: "البرنامج المقيس ليس في الدليل: لا شيء يُقارن به قيمةً قيمة.",
  correlations: "الارتباطات",
  noCorrelations: "لا شيء آخر يتصل بمصادقاته.",
  events: "ابحث في أحداثه",
  everything: "كل شيء عن هذا المضيف",
  attest: "اطلب المصادقة الآن",
  attestPreview: "عاين المصادقة",
  attestAsked: "سُئل. يُحسب الجواب خلال 60 ثانية.",
  revoke: "ألغِ الاعتماد",
  revokePreview: "عاين الإلغاء",
  revokeTitle: "إلغاء اعتماد جهاز",
  willHappen: "ما سيحدث",
  effect: "تُلغى شهادة {name} وتُنهى جلساته.",
  effectProof: "تعرض الصفحة الدليل: الشهادة في قائمة الإلغاء، والوسيط وقد رفضها.",
  effectAgain: "لا يمكن التراجع. لا يدخل الجهاز ثانية إلا برمز تسجيل.",
  fourEyes: "مع مبدأ العيون الأربع يوافق شخص آخر أولًا. والخطة تُلغي عبر بوابة الموافقة أيضًا.",
  because: "السبب",
  revokeDone: "أُلغي: أكدته القائمة والوسيط.",
  revokeWaits: "قيد الإلغاء: لم يؤكده الوسيط بعد.",
  waitsForApproval: "يجب أن يوافق عليه شخص آخر أولًا.",
  openApproval: "افتح طلب الموافقة",
  proof: {
    title: "إلغاء الاعتماد",
    asked: "طُلب",
    askedBy: "{name}، {time}",
    list: "قائمة الإلغاء",
    listDone: "الشهادة في القائمة الموقّعة.",
    listWaits: "تُوقَّع القائمة وتُكتب.",
    broker: "الوسيط",
    brokerDone: "شوهد يرفض ما لا تلغيه إلا هذه القائمة؛ وأُنهيت الجلسات.",
    brokerNone: "لا وسيط مضبوط: خادم الأجهزة في المنصة يرفض الشهادة.",
    brokerWaits: "لم يرفضها بعد. يعيد العامل المحاولة كل ثانيتين.",
    at: "تأكد {time}",
  },
  cancel: "إلغاء",
  close: "إغلاق",
  empty: "لم يُسجَّل أي جهاز بعد",
  emptyText: "أنشئ رمز تسجيل وأدخله في الجهاز.",
};

export const devicesPhrases: Translations<DevicesPhrases> = { en: english, ar: arabic };
