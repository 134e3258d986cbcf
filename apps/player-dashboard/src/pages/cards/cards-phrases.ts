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
  locked: "The cards are locked",
  lockedHint: "Whoever knows a card's number could copy it, so the player shows its cards only to its owner.",
  unlock: "Unlock",
  add: "Tap a card",
  addFirst: "Tap the first card",
  none: "No card is known yet",
  noneHint:
    "Lay an NFC card or sticker on the player and choose what it plays. A child can then choose a surah by hand.",
  list: "Known cards",
  print: "Print the cards",
  edit: "Change",
  remove: "Remove",
  removeTitle: "Remove this card?",
  removeQuestion: "The player forgets {name}. The card itself can be used again at any time.",
  removeYes: "Remove",
  keep: "Keep it",
  removed: "The card was removed.",
  lastTapped: "Tapped last",

  tapTitle: "Tap a card now",
  tapNow: "Hold a card to the player",
  tapHint:
    "Lay it on the place with the card sign until the player answers. A card that is known already does its deed, too.",
  waiting: "Waiting for a card…",
  known: "This card is known: {name}",
  change: "Change what it does",
  another: "Take another card",
  gone: "The player is not answering now. It will go on as soon as it is back.",

  newTitle: "New card",
  editTitle: "Change the card",
  number: "Card number {uid}",
  name: "Name",
  nameHint: "What stands on the card, such as “Al-Kahf for Maryam”.",
  onRepeat: "When it is tapped again while it plays",
  repeats: {
    toggle: "Pause, or go on",
    restart: "Begin again",
    next: "Next surah",
    ignore: "Nothing",
  },
  onRemove: "When it is lifted off",
  removes: {
    inherit: "As the settings say",
    continue: "Keep playing",
    pause: "Pause",
    stop: "Stop",
  },
  inheritNow: "As set ({what})",
  save: "Save",
  cancel: "Cancel",
  saved: "The card is saved.",
  missing: { name: "Give the card a name.", target: "Choose what should happen." },

  printTitle: "Print the cards",
  printHint:
    "Each face has the size of a bank card, ten to a sheet of A4. Cut along the dashed lines and glue them on.",
  printNow: "Print",
  back: "To the cards",
  printNone: "There is no card to print yet.",
};

const arabic: CardsPhrases = {
  locked: "البطاقات مقفلة",
  lockedHint: "من عرف رقم بطاقة استطاع نسخها، لذلك لا يعرض المشغّل بطاقاته إلا لصاحبه.",
  unlock: "افتح القفل",
  add: "سجّل بطاقة",
  addFirst: "سجّل أول بطاقة",
  none: "لا بطاقات معروفة بعد",
  noneHint: "ضع بطاقة أو ملصق NFC على المشغّل واختر ما يشغّله، فيختار الطفل السورة بيده.",
  list: "البطاقات المعروفة",
  print: "اطبع البطاقات",
  edit: "تعديل",
  remove: "حذف",
  removeTitle: "أتحذف هذه البطاقة؟",
  removeQuestion: "ينسى المشغّل {name}، ويمكن استعمال البطاقة نفسها من جديد في أي وقت.",
  removeYes: "حذف",
  keep: "احتفظ بها",
  removed: "حُذفت البطاقة.",
  lastTapped: "آخر بطاقة لُمست",

  tapTitle: "قرّب بطاقة الآن",
  tapNow: "ضع بطاقة على المشغّل",
  tapHint: "ضعها على موضع علامة البطاقة حتى يجيب المشغّل. والبطاقة المعروفة تؤدّي عملها أيضًا.",
  waiting: "ننتظر بطاقة…",
  known: "هذه البطاقة معروفة: {name}",
  change: "غيّر عملها",
  another: "خذ بطاقة أخرى",
  gone: "المشغّل لا يجيب الآن، ويتابع حالما يعود.",

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
