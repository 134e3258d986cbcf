import type { Language } from "../../app/language/language.ts";
import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";
import type { Part } from "./parts.ts";

/** A part that did not start, and what the owner notices of it. */
export interface PartPhrases {
  didNotStart: string;
  meaning: string;
}

/** What the page says of the device itself. `{…}` is filled in. */
export interface SystemPhrases {
  language: Language;
  loading: string;
  unreachable: string;
  /** `{error}`: what the player answered instead. */
  refused: string;
  lastKnown: string;
  runningFor: string;
  lessThanAMinute: string;
  days: PluralForms;
  hours: PluralForms;
  minutes: PluralForms;
  /** `{larger}` and `{smaller}`: a duration's two largest units. */
  durationOfTwo: string;
  startUp: string;
  everythingStarted: string;
  everythingStartedHint: string;
  warnings: string;
  parts: Readonly<Record<Part, PartPhrases>>;
  /** `{component}`: the name the player gave it. */
  unknownPart: string;
  reason: string;
  readings: string;
  version: string;
  freeMemory: string;
  storage: string;
  /** `{used}` and `{total}`: entries. */
  storageUsed: string;
  /** `{free}`: entries; `{size}`: what they hold, in words. */
  storageFree: string;
  screen: string;
  screenHint: string;
  showScreen: string;
  /** What a screen reader says of the picture. */
  screenPicture: string;
  sleep: string;
  sleepHint: string;
  sleepNow: string;
  sleepAsk: string;
  sleepAskHint: string;
  /** `{time}`: when it wakes by itself. */
  sleepsUntil: string;
  sleepsUntilButton: string;
}

const english: SystemPhrases = {
  language: "en",
  loading: "Asking the player how it is…",
  unreachable: "The player is not answering.",
  refused: "The player could not answer: {error}",
  lastKnown: "Below is what it said last.",
  runningFor: "Running for",
  lessThanAMinute: "less than a minute",
  days: { one: "# day", other: "# days" },
  hours: { one: "# hour", other: "# hours" },
  minutes: { one: "# minute", other: "# minutes" },
  durationOfTwo: "{larger} and {smaller}",
  startUp: "Start-up",
  everythingStarted: "Everything that belongs to this player started.",
  everythingStartedHint: "If a part fails to start, it is named here together with what that means for you.",
  warnings: "Warnings",
  parts: {
    sound: {
      didNotStart: "The sound output did not start",
      meaning: "Nothing can be heard until it does.",
    },
    reader: {
      didNotStart: "The card reader did not start",
      meaning: "The player does not notice cards until it does.",
    },
    clock: {
      didNotStart: "The clock chip did not start",
      meaning: "The player may lose the time when its power is cut.",
    },
    screen: {
      didNotStart: "The screen did not start",
      meaning: "It stays dark.",
    },
    card: {
      didNotStart: "The memory card did not start",
      meaning: "Recordings on it cannot be played.",
    },
    battery: {
      didNotStart: "The battery gauge did not start",
      meaning: "How full the battery is stays unknown.",
    },
    buttons: {
      didNotStart: "The buttons did not start",
      meaning: "Pressing them does nothing.",
    },
    network: {
      didNotStart: "The Wi-Fi did not start",
      meaning: "The player can be reached by cable only, if at all.",
    },
  },
  unknownPart: "The part “{component}” did not start",
  reason: "Reason given:",
  readings: "Readings",
  version: "Version",
  freeMemory: "Free memory",
  storage: "Settings storage",
  storageUsed: "{used} of {total} entries used",
  storageFree: "{free} free · {size} stored",
  screen: "The player's screen",
  screenHint: "What it shows now, renewed every two seconds.",
  showScreen: "Show the screen",
  screenPicture: "Picture of the player's screen",
  sleep: "Sleep",
  sleepHint: "Playback stops and its position is kept. The screen goes dark.",
  sleepNow: "Sleep now",
  sleepAsk: "Let the player sleep?",
  sleepAskHint:
    "This page cannot wake it. Press its button, or wait for the next schedule or adhan if it has a clock chip.",
  sleepsUntil: "The player sleeps. It wakes at {time}, or when its button is pressed.",
  sleepsUntilButton: "The player sleeps. Press its button to wake it.",
};

const arabic: SystemPhrases = {
  language: "ar",
  loading: "نسأل المشغّل عن حاله…",
  unreachable: "المشغّل لا يجيب.",
  refused: "تعذّر على المشغّل أن يجيب: {error}",
  lastKnown: "وفي الأسفل آخر ما قاله.",
  runningFor: "مدة التشغيل",
  lessThanAMinute: "أقل من دقيقة",
  days: { one: "يوم واحد", two: "يومان", few: "# أيام", many: "# يومًا", other: "# يوم" },
  hours: { one: "ساعة واحدة", two: "ساعتان", few: "# ساعات", many: "# ساعة", other: "# ساعة" },
  minutes: { one: "دقيقة واحدة", two: "دقيقتان", few: "# دقائق", many: "# دقيقة", other: "# دقيقة" },
  durationOfTwo: "{larger} و{smaller}",
  startUp: "بدء التشغيل",
  everythingStarted: "بدأ كل ما ينتمي إلى هذا المشغّل.",
  everythingStartedHint: "إذا لم تبدأ قطعة ما فستُذكر هنا مع ما يعنيه ذلك لك.",
  warnings: "تنبيهات",
  parts: {
    sound: { didNotStart: "لم يبدأ مخرج الصوت", meaning: "لن يُسمع شيء حتى يبدأ." },
    reader: { didNotStart: "لم يبدأ قارئ البطاقات", meaning: "لن ينتبه المشغّل إلى البطاقات حتى يبدأ." },
    clock: { didNotStart: "لم تبدأ شريحة الساعة", meaning: "قد يفقد المشغّل الوقت عند انقطاع الكهرباء." },
    screen: { didNotStart: "لم تبدأ الشاشة", meaning: "ستبقى مظلمة." },
    card: { didNotStart: "لم تبدأ بطاقة الذاكرة", meaning: "لا يمكن تشغيل التسجيلات التي عليها." },
    battery: { didNotStart: "لم يبدأ مقياس البطارية", meaning: "لا يُعرف كم بقي في البطارية." },
    buttons: { didNotStart: "لم تبدأ الأزرار", meaning: "الضغط عليها لا يفعل شيئًا." },
    network: { didNotStart: "لم تبدأ شبكة الواي فاي", meaning: "لا يمكن الوصول إلى المشغّل إلا بالكابل، إن أمكن." },
  },
  unknownPart: "لم تبدأ القطعة «{component}»",
  reason: "السبب المذكور:",
  readings: "القراءات",
  version: "الإصدار",
  freeMemory: "الذاكرة المتاحة",
  storage: "مخزن الإعدادات",
  storageUsed: "الخانات المستعملة: {used} من {total}",
  storageFree: "المتاح: {free} · المحفوظ: {size}",
  screen: "شاشة المشغّل",
  screenHint: "ما تعرضه الآن، ويتجدد كل ثانيتين.",
  showScreen: "أظهر الشاشة",
  screenPicture: "صورة شاشة المشغّل",
  sleep: "النوم",
  sleepHint: "يتوقف التشغيل ويُحفظ موضعه، وتنطفئ الشاشة.",
  sleepNow: "نم الآن",
  sleepAsk: "هل ينام المشغّل؟",
  sleepAskHint: "لا تستطيع هذه الصفحة إيقاظه. اضغط زره، أو انتظر الموعد أو الأذان التالي إن كانت فيه شريحة ساعة.",
  sleepsUntil: "نام المشغّل. يستيقظ عند {time}، أو حين يُضغط زره.",
  sleepsUntilButton: "نام المشغّل. اضغط زره لتوقظه.",
};

export const systemPhrases: Translations<SystemPhrases> = { en: english, ar: arabic };
