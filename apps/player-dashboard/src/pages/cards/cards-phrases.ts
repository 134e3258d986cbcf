import type { CardBody } from "@player/service/contract/cards";
import type { Translations } from "../../app/language/translations.ts";

interface CardsPhrases {
  locked: string;
  lockedHint: string;
  unlock: string;
  add: string;
  addFirst: string;
  none: string;
  noneHint: string;
  list: string;
  print: string;
  edit: string;
  remove: string;
  removeTitle: string;
  /** `{name}`. */
  removeQuestion: string;
  removeYes: string;
  keep: string;
  removed: string;
  lastTapped: string;

  tapTitle: string;
  tapNow: string;
  tapHint: string;
  waiting: string;
  /** `{name}`. */
  known: string;
  change: string;
  another: string;
  gone: string;

  newTitle: string;
  editTitle: string;
  /** `{uid}`. */
  number: string;
  name: string;
  nameHint: string;
  onRepeat: string;
  repeats: Readonly<Record<CardBody["on_repeat"], string>>;
  onRemove: string;
  removes: Readonly<Record<CardBody["on_remove"], string>>;
  /** How `inherit` stands in a list: `{what}` is what the settings say. */
  inheritNow: string;
  save: string;
  cancel: string;
  saved: string;
  missing: { name: string; target: string };

  printTitle: string;
  printHint: string;
  printNow: string;
  back: string;
  printNone: string;
}

const english: CardsPhrases = {
  locked: "Cards are locked",
  lockedHint: "A card can be copied by anyone who knows its number, so only the owner can see the cards.",
  unlock: "Unlock",
  add: "Add a card",
  addFirst: "Add your first card",
  none: "No cards yet",
  noneHint:
    "Put an NFC card or sticker on the player and choose what it plays. Even small children can then choose a surah.",
  list: "Your cards",
  print: "Print cards",
  edit: "Change",
  remove: "Remove",
  removeTitle: "Remove this card?",
  removeQuestion: "{name} will no longer play anything. You can set the card up again at any time.",
  removeYes: "Remove",
  keep: "Keep it",
  removed: "Card removed.",
  lastTapped: "Last tapped",

  tapTitle: "Tap a card now",
  tapNow: "Hold a card against the player",
  tapHint:
    "Hold it on the card symbol until the player responds. A card you have already set up will also start playing.",
  waiting: "Waiting for a card…",
  known: "This card is already set up: {name}",
  change: "Change what it does",
  another: "Use another card",
  gone: "The player is not responding. This page continues when it is back.",

  newTitle: "New card",
  editTitle: "Edit card",
  number: "Card number {uid}",
  name: "Name",
  nameHint: "For example “Al-Kahf for Maryam”. It is printed on the card.",
  onRepeat: "If tapped again while playing",
  repeats: {
    toggle: "Pause or resume",
    restart: "Start over",
    next: "Next surah",
    ignore: "Nothing",
  },
  onRemove: "When the card is removed",
  removes: {
    inherit: "As in the settings",
    continue: "Keep playing",
    pause: "Pause",
    stop: "Stop",
  },
  inheritNow: "As in the settings ({what})",
  save: "Save",
  cancel: "Cancel",
  saved: "Card saved.",
  missing: { name: "Give the card a name.", target: "Choose what should happen." },

  printTitle: "Print cards",
  printHint: "Each label is the size of a bank card, ten to an A4 sheet. Cut along the dashed lines and glue them on.",
  printNow: "Print",
  back: "Back to cards",
  printNone: "No cards to print yet.",
};

const arabic: CardsPhrases = {
  locked: "البطاقات مقفلة",
  lockedHint: "من عرف رقم بطاقة استطاع نسخها، لذلك لا يعرض المشغّل بطاقاته إلا لصاحبه.",
  unlock: "افتح القفل",
  add: "أضف بطاقة",
  addFirst: "أضف أول بطاقة",
  none: "لا بطاقات بعد",
  noneHint: "ضع بطاقة أو ملصق NFC على المشغّل واختر ما يشغّله، فيستطيع حتى الأطفال الصغار اختيار سورة.",
  list: "بطاقاتك",
  print: "اطبع البطاقات",
  edit: "تعديل",
  remove: "حذف",
  removeTitle: "أتحذف هذه البطاقة؟",
  removeQuestion: "لن تشغّل {name} شيئًا بعد ذلك، ويمكنك إعداد البطاقة من جديد في أي وقت.",
  removeYes: "حذف",
  keep: "احتفظ بها",
  removed: "حُذفت البطاقة.",
  lastTapped: "آخر بطاقة لُمست",

  tapTitle: "قرّب بطاقة الآن",
  tapNow: "ضع بطاقة على المشغّل",
  tapHint: "ضعها على علامة البطاقة حتى يستجيب المشغّل. والبطاقة التي أعددتها من قبل ستبدأ التشغيل أيضًا.",
  waiting: "ننتظر بطاقة…",
  known: "هذه البطاقة معدّة من قبل: {name}",
  change: "غيّر ما تفعله",
  another: "استخدم بطاقة أخرى",
  gone: "المشغّل لا يستجيب. تتابع هذه الصفحة حين يعود.",

  newTitle: "بطاقة جديدة",
  editTitle: "تعديل البطاقة",
  number: "رقم البطاقة {uid}",
  name: "الاسم",
  nameHint: "ما يُكتب على البطاقة، مثل «الكهف لمريم».",
  onRepeat: "إذا قُرّبت مرة أخرى وهي تعمل",
  repeats: {
    toggle: "إيقاف مؤقت أو متابعة",
    restart: "من البداية",
    next: "السورة التالية",
    ignore: "لا شيء",
  },
  onRemove: "إذا رُفعت عن المشغّل",
  removes: {
    inherit: "كما في الإعدادات",
    continue: "يتابع التشغيل",
    pause: "إيقاف مؤقت",
    stop: "إيقاف",
  },
  inheritNow: "كما في الإعدادات ({what})",
  save: "حفظ",
  cancel: "إلغاء",
  saved: "حُفظت البطاقة.",
  missing: { name: "أعطِ البطاقة اسمًا.", target: "اختر ماذا يحدث." },

  printTitle: "طباعة البطاقات",
  printHint: "كل وجه بحجم البطاقة المصرفية، عشرة في ورقة A4. قصّ على الخطوط المتقطعة وألصقها.",
  printNow: "اطبع",
  back: "إلى البطاقات",
  printNone: "لا بطاقة للطباعة بعد.",
};

export const cardsPhrases: Translations<CardsPhrases> = { en: english, ar: arabic };
