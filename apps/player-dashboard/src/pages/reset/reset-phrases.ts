import type { Translations } from "../../app/language/translations.ts";

interface ResetPhrases {
  title: string;
  intro: string;
  goes: string;
  going: readonly string[];
  stays: string;
  staying: readonly string[];
  confirm: string;
  confirmHint: string;
  toBackup: string;
  /** `{name}`: the device's. */
  type: string;
  typeHint: string;
  reset: string;
  done: string;
  doneHint: string;
  next: string;
  steps: readonly string[];
  toNow: string;
}

const english: ResetPhrases = {
  title: "Reset",
  intro: "Makes the player as it was when it was new. Useful before you give it away, or when nothing else helps.",
  goes: "What is erased",
  going: [
    "All settings, and the Wi-Fi networks with their passwords",
    "Favorites and stations",
    "Cards: they stay good, but the player no longer knows them",
    "Schedules, place, prayer settings and adhan",
    "The token of this player: it gets a new one, and every browser has to be unlocked again",
  ],
  stays: "What stays",
  staying: ["The recordings on the memory card", "The installed version"],
  confirm: "Are you sure?",
  confirmHint: "This cannot be undone. If you may want it back, download a backup first.",
  toBackup: "To the backup",
  type: "Type the player's name to confirm: \u2068{name}\u2069",
  typeHint: "So that nobody does it by accident.",
  reset: "Erase everything",
  done: "The player is as new.",
  doneHint: "This browser has forgotten the old token; it opens nothing any more.",
  next: "What to do now",
  steps: [
    "The player is in no Wi-Fi network now. It opens its own, “Manara set-up”; its screen says how to reach it there.",
    "Get the new token from the player itself: it was written to its console, the command “manara-player token” shows it, and with pairing switched on a press of its button shows a QR code.",
    "Open this page again and unlock it with the new token.",
  ],
  toNow: "To the first page",
};

const arabic: ResetPhrases = {
  title: "إعادة الضبط",
  intro: "تعيد المشغّل كما كان جديدًا. تفيد قبل أن تهديه لغيرك، أو حين لا ينفع شيء آخر.",
  goes: "ما يُمحى",
  going: [
    "جميع الإعدادات، وشبكات الواي فاي مع كلمات مرورها",
    "المفضلة والإذاعات",
    "البطاقات: تبقى صالحة، لكن المشغّل لا يعود يعرفها",
    "المواعيد والمكان وإعدادات الصلاة والأذان",
    "رمز هذا المشغّل: يُعطى رمزًا جديدًا، ولا بد من فتح القفل في كل متصفح من جديد",
  ],
  stays: "ما يبقى",
  staying: ["التسجيلات على بطاقة الذاكرة", "الإصدار المثبّت"],
  confirm: "هل أنت متأكد؟",
  confirmHint: "لا يمكن التراجع عن هذا. إن كنت قد تحتاج إلى ما فيه فنزّل نسخة احتياطية أولًا.",
  toBackup: "إلى النسخة الاحتياطية",
  type: "اكتب اسم المشغّل للتأكيد: \u2068{name}\u2069",
  typeHint: "حتى لا يفعلها أحد خطأً.",
  reset: "امحُ كل شيء",
  done: "عاد المشغّل كالجديد.",
  doneHint: "نسي هذا المتصفح الرمز القديم، فلم يعد يفتح شيئًا.",
  next: "ما العمل الآن",
  steps: [
    "المشغّل الآن غير متصل بأي شبكة واي فاي. يفتح شبكته الخاصة «Manara set-up»، وتقول شاشته كيف تصل إليه فيها.",
    "خذ الرمز الجديد من المشغّل نفسه: كُتب على شاشة أوامره، ويظهره الأمر «manara-player token»، وإن كان الاقتران مفعّلًا أظهرت ضغطة على زره رمز QR.",
    "افتح هذه الصفحة من جديد، وافتح القفل بالرمز الجديد.",
  ],
  toNow: "إلى الصفحة الأولى",
};

export const resetPhrases: Translations<ResetPhrases> = { en: english, ar: arabic };
