import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";

interface NowPhrases {
  previous: string;
  next: string;
  stop: string;
  position: string;
  /** `{position}` and `{duration}`: what a screen reader says of the slider. */
  positionOf: string;
  volume: string;
  /** `{percent}`. */
  percent: string;
  /** `{percent}`: the owner's limit. */
  volumeLimit: string;
  minutes: PluralForms;
  /** `{name}`: what comes back after the adhan. */
  afterCall: string;
  live: string;
  advance: string;
  advanceOff: string;
  advanceContinuous: string;
  advanceRepeat: string;
  advanceHifz: string;
  sleepTimer: string;
  sleepOff: string;
  /** `{time}`: minutes and seconds. */
  sleepIn: string;
  savedHint: string;
  goesOnHint: string;
  fromStart: string;
  chooseRecording: string;
  emptyTitle: string;
  emptyHint: string;
}

const english: NowPhrases = {
  previous: "Previous surah",
  next: "Next surah",
  stop: "Stop",
  position: "Position",
  positionOf: "{position} of {duration}",
  volume: "Volume",
  percent: "{percent}%",
  volumeLimit: "Volume is limited to {percent}%.",
  minutes: { one: "# minute", other: "# minutes" },
  afterCall: "Up next: {name}",
  live: "Live",
  advance: "At the end",
  advanceOff: "Stop",
  advanceContinuous: "Next surah",
  advanceRepeat: "Repeat",
  advanceHifz: "Hifz is on. Choosing an option here ends it.",
  sleepTimer: "Sleep timer",
  sleepOff: "Off",
  sleepIn: "Stops in {time}",
  savedHint: "Your place is saved.",
  goesOnHint: "Play resumes where you stopped.",
  fromStart: "From the beginning",
  chooseRecording: "Choose a recording",
  emptyTitle: "Nothing is playing",
  emptyHint: "Choose a surah from the library or a radio station.",
};

const arabic: NowPhrases = {
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
  advance: "عند النهاية",
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

export const nowPhrases: Translations<NowPhrases> = { en: english, ar: arabic };
