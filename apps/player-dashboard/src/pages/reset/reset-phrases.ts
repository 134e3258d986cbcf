import type { Phrases, Translations } from "../../app/language/translations.ts";

const english = {
  title: "Reset",
  intro:
    "Returns the player to its factory state. Do this before you give it to someone else, or if nothing else helps.",
  goes: "Will be erased",
  going: [
    "All settings, including Wi-Fi networks and passwords",
    "Favorites and stations",
    "Card assignments (the cards can be set up again)",
    "Schedules, location, prayer and adhan settings",
    "The token: the player gets a new one, and every browser must be unlocked again",
  ],
  stays: "Will be kept",
  staying: ["The recordings on the memory card", "The installed version"],
  confirm: "Are you sure?",
  confirmHint: "This cannot be undone. Download a backup first if you may need it.",
  toBackup: "Go to backup",
  /** `{name}`: the device's. */
  type: "Type the player's name to confirm: \u2068{name}\u2069",
  typeHint: "This prevents an accidental reset.",
  /** The device has no way to show a code. */
  noWay:
    "This player can neither show nor sound a code. After the reset you can unlock it only with the command “manara-player pair” on the player itself.",
  reset: "Erase everything",
  done: "The player is reset.",
  doneHint: "The old token no longer works and was removed from this browser.",
  next: "What to do next",
  steps: [
    "The player is no longer connected to Wi-Fi. It opens its own network, “Manara set-up”. Its screen shows how to connect.",
    "Open this page again and unlock the player as on its first day. The page shows how.",
  ],
  toNow: "Home",
};

const arabic: Phrases<typeof english> = {
  title: "إعادة الضبط",
  intro: "تعيد المشغّل إلى حالة المصنع. استخدمها قبل أن تعطيه لغيرك، أو إذا لم ينفع حل آخر.",
  goes: "ما يُمحى",
  going: [
    "جميع الإعدادات، وشبكات الواي فاي مع كلمات مرورها",
    "المفضلة والإذاعات",
    "إعداد البطاقات (يمكن إعدادها من جديد)",
    "المواعيد والمكان وإعدادات الصلاة والأذان",
    "رمز هذا المشغّل: يُعطى رمزًا جديدًا، ولا بد من فتح القفل في كل متصفح من جديد",
  ],
  stays: "ما يبقى",
  staying: ["التسجيلات على بطاقة الذاكرة", "الإصدار المثبّت"],
  confirm: "هل أنت متأكد؟",
  confirmHint: "لا يمكن التراجع عن هذا. إن كنت قد تحتاج إلى ما فيه فنزّل نسخة احتياطية أولًا.",
  toBackup: "إلى النسخة الاحتياطية",
  type: "اكتب اسم المشغّل للتأكيد: \u2068{name}\u2069",
  typeHint: "لمنع إعادة الضبط عن طريق الخطأ.",
  noWay:
    "لا يستطيع هذا المشغّل أن يعرض رمزًا جديدًا ولا أن يُسمعه. بعد إعادة الضبط لا يُفتح قفله إلا بالأمر «manara-player pair» على المشغّل نفسه.",
  reset: "امحُ كل شيء",
  done: "أُعيد ضبط المشغّل.",
  doneHint: "لم يعد الرمز القديم صالحًا، وحُذف من هذا المتصفح.",
  next: "الخطوات التالية",
  steps: [
    "المشغّل الآن غير متصل بأي شبكة واي فاي. يفتح شبكته الخاصة «Manara set-up»، وتقول شاشته كيف تصل إليه فيها.",
    "افتح هذه الصفحة من جديد، وافتح قفل المشغّل كما في يومه الأول. وتبيّن لك الصفحة كيف.",
  ],
  toNow: "الصفحة الرئيسية",
};

export const resetPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
