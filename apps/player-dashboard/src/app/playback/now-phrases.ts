import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";

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
  seconds: PluralForms;
  minutes: PluralForms;
  /** `{seconds}`. */
  bufferingRetry: string;
  buffering: string;
  paused: string;
  stopped: string;
  playing: string;
  gap: string;
  /** `{seconds}`. */
  gapNext: string;
  hifzDone: string;
  adhanPlays: string;
  tonePlays: string;
  adhan: string;
  tone: string;
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
  resumeSaved: string;
  savedHint: string;
  goesOnHint: string;
  fromStart: string;
  emptyTitle: string;
  emptyHint: string;
  /** `{done}` of `{target}`. */
  hearings: string;
  ofTarget: string;
  endless: string;
  heardSoFar: PluralForms;
  /** `{from}` and `{to}`: names of surahs. */
  range: string;
}

const english: NowPhrases = {
  previous: "Previous surah",
  next: "Next surah",
  stop: "Stop",
  position: "Position",
  positionOf: "{position} of {duration}",
  volume: "Volume",
  percent: "{percent}%",
  volumeLimit: "The owner has set {percent}% as the loudest.",
  seconds: { one: "# second", other: "# seconds" },
  minutes: { one: "# minute", other: "# minutes" },
  bufferingRetry: "Buffering, next try in {seconds}",
  buffering: "Buffering…",
  paused: "Paused",
  stopped: "Stopped",
  playing: "Playing",
  gap: "Silence between two hearings",
  gapNext: "Silence, next hearing in {seconds}",
  hifzDone: "All hearings are done",
  adhanPlays: "The adhan is playing",
  tonePlays: "The built-in tone is playing",
  adhan: "Adhan",
  tone: "Tone",
  afterCall: "After it: {name}",
  live: "Live",
  advance: "At the end",
  advanceOff: "Stop",
  advanceContinuous: "Next surah",
  advanceRepeat: "Repeat",
  advanceHifz: "Hifz is on. Choosing one of these ends it.",
  sleepTimer: "Sleep timer",
  sleepOff: "Off",
  sleepIn: "Stops in {time}",
  resumeSaved: "Go on where it stopped",
  savedHint: "The player has kept your place.",
  goesOnHint: "Play goes on where it stopped.",
  fromStart: "From the beginning",
  emptyTitle: "Nothing is playing",
  emptyHint: "Choose a surah from the library, or a station.",
  hearings: "{done} of {target} hearings",
  ofTarget: "of {target}",
  endless: "endless",
  heardSoFar: { one: "# hearing so far", other: "# hearings so far" },
  range: "{from} to {to}",
};

const arabic: NowPhrases = {
  previous: "السورة السابقة",
  next: "السورة التالية",
  stop: "إيقاف",
  position: "الموضع",
  positionOf: "{position} من {duration}",
  volume: "الصوت",
  percent: "{percent}٪",
  volumeLimit: "حدّد صاحب الجهاز {percent}٪ أعلى صوت.",
  seconds: { one: "ثانية واحدة", two: "ثانيتين", few: "# ثوانٍ", many: "# ثانية", other: "# ثانية" },
  minutes: { one: "دقيقة واحدة", two: "دقيقتان", few: "# دقائق", many: "# دقيقة", other: "# دقيقة" },
  bufferingRetry: "جارٍ التحميل، المحاولة التالية بعد {seconds}",
  buffering: "جارٍ التحميل…",
  paused: "متوقّف مؤقتًا",
  stopped: "متوقّف",
  playing: "قيد التشغيل",
  gap: "صمت بين مرّتين",
  gapNext: "صمت، والمرّة التالية بعد {seconds}",
  hifzDone: "اكتملت المرّات كلّها",
  adhanPlays: "الأذان يُرفع الآن",
  tonePlays: "تُسمع الآن النغمة المدمجة",
  adhan: "الأذان",
  tone: "نغمة",
  afterCall: "وبعده: {name}",
  live: "مباشر",
  advance: "عند النهاية",
  advanceOff: "توقّف",
  advanceContinuous: "السورة التالية",
  advanceRepeat: "تكرار",
  advanceHifz: "وضع الحفظ يعمل، واختيار أحد هذه ينهيه.",
  sleepTimer: "مؤقّت النوم",
  sleepOff: "بلا مؤقّت",
  sleepIn: "يتوقّف بعد {time}",
  resumeSaved: "أكمل من حيث توقّف",
  savedHint: "حفظ المشغّل موضعك.",
  goesOnHint: "زرّ التشغيل يكمل من حيث توقّف.",
  fromStart: "من البداية",
  emptyTitle: "لا شيء يعمل الآن",
  emptyHint: "اختر سورة من المكتبة، أو إذاعة.",
  hearings: "{done} من {target}",
  ofTarget: "من {target}",
  endless: "بلا نهاية",
  heardSoFar: {
    zero: "لم تُسمع بعد",
    one: "سُمعت مرّة واحدة",
    two: "سُمعت مرّتين",
    few: "سُمعت # مرّات",
    many: "سُمعت # مرّة",
    other: "سُمعت # مرّة",
  },
  range: "من {from} إلى {to}",
};

export const nowPhrases: Translations<NowPhrases> = { en: english, ar: arabic };
