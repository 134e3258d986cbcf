import type { Phrases, Translations } from "../../app/language/translations.ts";

const english = {
  previous: "Previous surah",
  next: "Next surah",
  stop: "Stop",
  position: "Position",
  /** `{position}` and `{duration}`: what a screen reader says of the slider. */
  positionOf: "{position} of {duration}",
  volume: "Volume",
  percent: "{percent}%",
  /** `{percent}`: the owner's limit. */
  volumeLimit: "Volume is limited to {percent}%.",
  minutes: { one: "# minute", other: "# minutes" },
  /** `{name}`: what comes back after the adhan. */
  afterCall: "Up next: {name}",
  live: "Live",
  advance: "When the surah ends",
  advanceOff: "Stop",
  advanceContinuous: "Next surah",
  advanceRepeat: "Repeat",
  advanceHifz: "Hifz is on. Choosing an option here ends it.",
  sleepTimer: "Sleep timer",
  sleepOff: "Off",
  /** `{time}`: minutes and seconds. */
  sleepIn: "Stops in {time}",
  savedHint: "Your place is saved.",
  goesOnHint: "Press play to continue where you stopped.",
  fromStart: "From the beginning",
  chooseRecording: "Choose a recording",
  emptyTitle: "Nothing is playing",
  emptyHint: "Choose a surah from the library or a radio station.",
};

const arabic: Phrases<typeof english> = {
  previous: "السورة السابقة",
  next: "السورة التالية",
  stop: "إيقاف",
  position: "الموضع",
  positionOf: "{position} من {duration}",
  volume: "الصوت",
  percent: "{percent}٪",
  volumeLimit: "أعلى مستوى للصوت هو {percent}٪.",
  minutes: { one: "دقيقة واحدة", two: "دقيقتان", few: "# دقائق", many: "# دقيقة", other: "# دقيقة" },
  afterCall: "التالي: {name}",
  live: "مباشر",
  advance: "بعد انتهاء السورة",
  advanceOff: "توقّف",
  advanceContinuous: "السورة التالية",
  advanceRepeat: "تكرار",
  advanceHifz: "وضع الحفظ يعمل، واختيار أحد هذه ينهيه.",
  sleepTimer: "مؤقّت النوم",
  sleepOff: "بلا مؤقّت",
  sleepIn: "يتوقّف بعد {time}",
  savedHint: "موضعك محفوظ.",
  goesOnHint: "يستأنف زرّ التشغيل من حيث توقّفت.",
  fromStart: "من البداية",
  chooseRecording: "اختر تسجيلًا",
  emptyTitle: "لا شيء يعمل الآن",
  emptyHint: "اختر سورة من المكتبة، أو إذاعة.",
};

export const nowPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
