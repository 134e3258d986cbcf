import type { OtaStatus } from "@player/service/contract/ota";
import type { Translations } from "../../app/language/translations.ts";

export interface StatusPhrases {
  title: string;
  meaning: string;
}

export interface FirmwarePhrases {
  title: string;
  state: string;
  statuses: Readonly<Record<OtaStatus, StatusPhrases>>;
  /** `{percent}`. */
  progress: string;
  reason: string;
  /** `{version}` below: the one that runs. `{from}`: the one before. */
  runs: string;
  runsUntilThen: string;
  updated: string;
  stayed: string;

  fromFile: string;
  fromFileHint: string;
  file: string;
  fileHint: string;
  send: string;
  /** `{sent}` and `{total}`: sizes in words. */
  sending: string;
  arrived: string;

  fromAddress: string;
  address: string;
  addressHint: string;
  addressForm: string;
  download: string;

  safe: string;
  safeHints: readonly string[];
}

const english: FirmwarePhrases = {
  title: "Update",
  state: "How it stands",
  statuses: {
    idle: { title: "No update is under way", meaning: "You can give the player a newer version below." },
    downloading: {
      title: "The player is downloading the update",
      meaning: "You can close this page: it goes on by itself.",
    },
    receiving: {
      title: "The player is receiving the file",
      meaning: "Keep this page open until the file has arrived.",
    },
    verifying: {
      title: "The player is checking the update",
      meaning: "It takes only what its maker has signed, and what was made for this very device.",
    },
    installing: {
      title: "The update is being installed",
      meaning: "It is written beside the version that runs. If the power goes now, the present version simply stays.",
    },
    rebooting: {
      title: "The player restarts",
      meaning: "It does not answer for about a minute. This page comes back by itself.",
    },
    confirming: {
      title: "The new version has to prove itself",
      meaning: "It has two minutes to show that it answers, that sound comes out and that your settings are there.",
    },
    success: { title: "The update is done", meaning: "The new version works and stays." },
    failed: { title: "The update did not happen", meaning: "The player goes on with the version it has." },
    rolled_back: {
      title: "The former version came back",
      meaning:
        "The new version was started, but it did not prove itself within two minutes. So the player went back to the version it had before. Nothing that you have set is lost, and everything works as it did. Wait for a newer update, or try this one again.",
    },
  },
  progress: "{percent} %",
  reason: "Reason given:",
  runs: "Version {version} runs.",
  runsUntilThen: "Version {version} runs until then.",
  updated: "From version {from} to version {version}.",
  stayed: "Version {version} runs, as before.",

  fromFile: "From a file",
  fromFileHint: "When you have the update on this phone or computer.",
  file: "Update file",
  fileHint: "Its name ends in .raucb. At most 512 megabytes.",
  send: "Send to the player",
  sending: "{sent} of {total} sent",
  arrived: "All sent. The player is checking it…",

  fromAddress: "From the internet",
  address: "Address of the update",
  addressHint: "Begins with https://. The player downloads it by itself; it takes no older version this way.",
  addressForm: "The address must begin with https://.",
  download: "Download and install",

  safe: "Good to know",
  safeHints: [
    "The player keeps two versions. If the new one does not work, the former one comes back by itself.",
    "Your settings, favorites, cards and schedules stay.",
    "With a battery under 20 % it takes an update only at its charger.",
  ],
};

const arabic: FirmwarePhrases = {
  title: "التحديث",
  state: "الحال الآن",
  statuses: {
    idle: { title: "لا يوجد تحديث جارٍ", meaning: "يمكنك أن تعطي المشغّل إصدارًا أحدث من الأسفل." },
    downloading: { title: "ينزّل المشغّل التحديث", meaning: "يمكنك إغلاق هذه الصفحة، فهو يتابع من تلقاء نفسه." },
    receiving: { title: "يستقبل المشغّل الملف", meaning: "أبقِ هذه الصفحة مفتوحة حتى يصل الملف." },
    verifying: { title: "يفحص المشغّل التحديث", meaning: "لا يقبل إلا ما وقّعه صانعه وما صُنع لهذا الجهاز نفسه." },
    installing: {
      title: "يجري تثبيت التحديث",
      meaning: "يُكتب بجانب الإصدار العامل. فإن انقطعت الكهرباء الآن بقي الإصدار الحالي كما هو.",
    },
    rebooting: {
      title: "يعيد المشغّل تشغيل نفسه",
      meaning: "لا يجيب نحو دقيقة، وتعود هذه الصفحة من تلقاء نفسها.",
    },
    confirming: {
      title: "على الإصدار الجديد أن يثبت صلاحيته",
      meaning: "أمامه دقيقتان ليُظهر أنه يجيب، وأن الصوت يخرج، وأن إعداداتك موجودة.",
    },
    success: { title: "تم التحديث", meaning: "الإصدار الجديد يعمل، وسيبقى." },
    failed: { title: "لم يتم التحديث", meaning: "يتابع المشغّل بالإصدار الذي عنده." },
    rolled_back: {
      title: "عاد الإصدار السابق",
      meaning:
        "شُغّل الإصدار الجديد لكنه لم يثبت صلاحيته خلال دقيقتين، فعاد المشغّل إلى الإصدار الذي كان عنده. لم يضع شيء مما ضبطته، وكل شيء يعمل كما كان. انتظر تحديثًا أحدث، أو جرّب هذا مرة أخرى.",
    },
  },
  progress: "{percent}٪",
  reason: "السبب المذكور:",
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
