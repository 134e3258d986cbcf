import type { Language } from "../../app/language/language.ts";
import type { Phrases, Translations } from "../../app/language/translations.ts";

/** A part that did not start, and what the owner notices of it. */
export interface PartPhrases {
  didNotStart: string;
  meaning: string;
}

const english = {
  language: "en" as Language,
  loading: "Loading…",
  unreachable: "The player is not responding.",
  lastKnown: "You see the last known state.",
  runningFor: "Running for",
  lessThanAMinute: "less than a minute",
  days: { one: "# day", other: "# days" },
  hours: { one: "# hour", other: "# hours" },
  minutes: { one: "# minute", other: "# minutes" },
  /** `{larger}` and `{smaller}`: a duration's two largest units. */
  durationOfTwo: "{larger} and {smaller}",
  startUp: "Start-up",
  everythingStarted: "All parts started correctly.",
  everythingStartedHint: "If a part fails to start, you see it here and what it means for you.",
  warnings: "Warnings",
  parts: {
    sound: {
      didNotStart: "The sound output did not start",
      meaning: "There is no sound until it starts.",
    },
    reader: {
      didNotStart: "The card reader did not start",
      meaning: "Cards do not work until it starts.",
    },
    clock: {
      didNotStart: "The clock chip did not start",
      meaning: "The player may lose the time when its power is cut.",
    },
    screen: {
      didNotStart: "The screen did not start",
      meaning: "The screen stays dark.",
    },
    card: {
      didNotStart: "The memory card did not start",
      meaning: "Recordings on it cannot be played.",
    },
    storage: {
      didNotStart: "The player's own storage has a problem",
      meaning: "It plays and calls the adhan, but new settings may be lost when it restarts.",
    },
    battery: {
      didNotStart: "The battery gauge did not start",
      meaning: "The battery level is unknown.",
    },
    buttons: {
      didNotStart: "The buttons did not start",
      meaning: "Pressing them does nothing.",
    },
    network: {
      didNotStart: "The Wi-Fi did not start",
      meaning: "The player can only be reached by cable.",
    },
  },
  /** `{component}`: the name the player gave it. */
  unknownPart: "The part “{component}” did not start",
  reason: "Technical detail:",
  readings: "System",
  version: "Version",
  freeMemory: "Memory",
  storage: "Settings storage",
  storageFine: "Enough space",
  storageAlmostFull: "Almost full: {percent}% used",
  memoryFine: "Enough",
  memoryLow: "Low. Restart the player if it is slow.",
  screen: "The player's screen",
  screenHint: "What the screen shows now. Updates every two seconds.",
  showScreen: "Show the screen",
  /** What a screen reader says of the picture. */
  screenPicture: "Image of the player's screen",
  sleep: "Sleep",
  sleepHint: "Stops playback, saves the position and turns the screen off.",
  sleepNow: "Sleep now",
  sleepAsk: "Put the player to sleep?",
  sleepAskHint:
    "You cannot wake it from this page. Press its button. With a clock chip, it also wakes for the next schedule or adhan.",
  /** `{time}`: when it wakes by itself. */
  sleepsUntil: "The player is asleep. It wakes at {time}, or when you press its button.",
  sleepsUntilButton: "The player is asleep. Press its button to wake it.",
};

export type SystemPhrases = Phrases<typeof english> & { language: Language };

const arabic: SystemPhrases = {
  language: "ar",
  loading: "جارٍ التحميل…",
  unreachable: "المشغّل لا يستجيب.",
  lastKnown: "وما تراه هو آخر حالة معروفة.",
  runningFor: "مدة التشغيل",
  lessThanAMinute: "أقل من دقيقة",
  days: { one: "يوم واحد", two: "يومان", few: "# أيام", many: "# يومًا", other: "# يوم" },
  hours: { one: "ساعة واحدة", two: "ساعتان", few: "# ساعات", many: "# ساعة", other: "# ساعة" },
  minutes: { one: "دقيقة واحدة", two: "دقيقتان", few: "# دقائق", many: "# دقيقة", other: "# دقيقة" },
  durationOfTwo: "{larger} و{smaller}",
  startUp: "بدء التشغيل",
  everythingStarted: "جميع أجزاء المشغّل تعمل.",
  everythingStartedHint: "إذا تعذّر تشغيل جزء ما فسيظهر هنا مع أثر ذلك عليك.",
  warnings: "تنبيهات",
  parts: {
    sound: { didNotStart: "تعذّر تشغيل مخرج الصوت", meaning: "لا صوت حتى يعمل." },
    reader: { didNotStart: "تعذّر تشغيل قارئ البطاقات", meaning: "لا تعمل البطاقات حتى يعمل." },
    clock: { didNotStart: "تعذّر تشغيل شريحة الساعة", meaning: "قد يفقد المشغّل الوقت عند انقطاع الكهرباء." },
    screen: { didNotStart: "تعذّر تشغيل الشاشة", meaning: "ستبقى مظلمة." },
    card: { didNotStart: "تعذّرت قراءة بطاقة الذاكرة", meaning: "لا يمكن تشغيل التسجيلات التي عليها." },
    storage: {
      didNotStart: "في ذاكرة المشغّل الداخلية مشكلة",
      meaning: "يعمل التشغيل والأذان، لكن الإعدادات الجديدة قد تضيع عند إعادة التشغيل.",
    },
    battery: { didNotStart: "تعذّر تشغيل مقياس البطارية", meaning: "مستوى شحن البطارية غير معروف." },
    buttons: { didNotStart: "تعذّر تشغيل الأزرار", meaning: "الضغط عليها لا يفعل شيئًا." },
    network: { didNotStart: "تعذّر تشغيل الواي فاي", meaning: "لا يمكن الوصول إلى المشغّل إلا بالكابل، إن أمكن." },
  },
  unknownPart: "تعذّر تشغيل «{component}»",
  reason: "تفصيل تقني:",
  readings: "النظام",
  version: "الإصدار",
  freeMemory: "الذاكرة",
  storage: "مخزن الإعدادات",
  storageFine: "المساحة كافية",
  storageAlmostFull: "يكاد يمتلئ: استُعمل {percent}٪",
  memoryFine: "كافية",
  memoryLow: "قليلة. أعد تشغيل المشغّل إن كان بطيئًا.",
  screen: "شاشة المشغّل",
  screenHint: "ما تعرضه الآن، ويتجدد كل ثانيتين.",
  showScreen: "أظهر الشاشة",
  screenPicture: "صورة شاشة المشغّل",
  sleep: "النوم",
  sleepHint: "يتوقف التشغيل ويُحفظ موضعه، وتنطفئ الشاشة.",
  sleepNow: "إدخاله في وضع النوم",
  sleepAsk: "إدخال المشغّل في وضع النوم؟",
  sleepAskHint: "لا تستطيع هذه الصفحة إيقاظه. اضغط زره، أو انتظر الموعد أو الأذان التالي إن كانت فيه شريحة ساعة.",
  sleepsUntil: "المشغّل في وضع النوم. يستيقظ عند {time}، أو حين تضغط زره.",
  sleepsUntilButton: "المشغّل في وضع النوم. اضغط زره لإيقاظه.",
};

export const systemPhrases: Translations<SystemPhrases> = { en: english, ar: arabic };
