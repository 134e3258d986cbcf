import type { Phrases, Translations } from "../../app/language/translations.ts";

const english = {
  title: "Update",
  state: "Status",
  progress: "{percent} %",
  reason: "Reason:",
  /** `{version}` below: the one that runs. `{from}`: the one before. */
  runs: "Current version: {version}",
  runsUntilThen: "Current version until then: {version}",
  updated: "Updated from version {from} to version {version}.",
  stayed: "Current version, unchanged: {version}",
  fromFile: "From a file",
  fromFileHint: "For an update file on this phone or computer.",
  file: "Update file",
  fileHint: "A .raucb file of up to 512 megabytes.",
  send: "Send to the player",
  /** `{sent}` and `{total}`: sizes in words. */
  sending: "{sent} of {total} sent",
  arrived: "File sent. The player is checking it…",
  fromAddress: "From the internet",
  address: "Web address of the update",
  addressHint: "Starts with https://. The player downloads it. Older versions are not accepted this way.",
  addressForm: "The address must start with https://.",
  download: "Download and install",
  safe: "Good to know",
  safeHints: [
    "The player keeps two versions. If the new one does not work, the previous one is restored automatically.",
    "Your settings, favorites, cards and schedules are kept.",
    "If the battery is below 20 %, connect the charger before you update.",
  ],
};

export type FirmwarePhrases = Phrases<typeof english>;

const arabic: FirmwarePhrases = {
  title: "التحديث",
  state: "الحالة",
  progress: "{percent}٪",
  reason: "السبب:",
  runs: "يعمل الإصدار {version}.",
  runsUntilThen: "يعمل الإصدار {version} إلى ذلك الحين.",
  updated: "من الإصدار {from} إلى الإصدار {version}.",
  stayed: "يعمل الإصدار {version} كما كان.",
  fromFile: "من ملف",
  fromFileHint: "إذا كان التحديث على هذا الهاتف أو الحاسوب.",
  file: "ملف التحديث",
  fileHint: "ينتهي اسمه بـ \u2066.raucb\u2069، و٥١٢ ميغابايت على الأكثر.",
  send: "أرسله إلى المشغّل",
  sending: "أُرسل {sent} من {total}",
  arrived: "أُرسل كله. يفحصه المشغّل…",
  fromAddress: "من الإنترنت",
  address: "عنوان التحديث",
  addressHint: "يبدأ بـ \u2066https://\u2069. ينزّله المشغّل بنفسه، ولا يقبل بهذه الطريقة إصدارًا أقدم.",
  addressForm: "لا بد أن يبدأ العنوان بـ \u2066https://\u2069.",
  download: "نزّله وثبّته",
  safe: "للعلم",
  safeHints: [
    "يحتفظ المشغّل بإصدارين. فإن لم يعمل الجديد عاد السابق من تلقاء نفسه.",
    "تبقى إعداداتك والمفضلة والبطاقات والمواعيد.",
    "إذا كانت البطارية دون ٢٠٪ فلا يقبل التحديث إلا موصولًا بالشاحن.",
  ],
};

export const firmwarePhrases: Translations<FirmwarePhrases> = { en: english, ar: arabic };
