import type { ModeRequest } from "@player/service/contract/advance-mode";
import type { CommandTarget } from "@player/service/contract/target";
import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";
import type { TargetKind } from "./target-draft.ts";

interface TargetsPhrases {
  /** `{surah}` and `{reciter}`. */
  surahOf: string;
  resume: string;
  aStation: string;
  goneStation: string;
  aFavorite: string;
  goneFavorite: string;
  commands: Readonly<Record<CommandTarget["command"], string>>;
  /** `{volume}`. */
  volumeTo: string;
  sleepOff: string;
  sleepIn: PluralForms;
  /** Between the parts of one target, and between the steps of a sequence. */
  partJoint: string;
  stepJoint: string;
  /** `{volume}`. */
  atVolume: string;
  modes: Readonly<Record<ModeRequest["mode"], string>>;
  /** `{what}`: the range, how often, and the silence between. */
  hifz: string;
  times: PluralForms;
  endlessly: string;
  /** `{from}` and `{to}`. */
  range: string;
  pause: PluralForms;

  what: string;
  kinds: Readonly<Record<TargetKind, string>>;
  reciter: string;
  surah: string;
  noReciters: string;
  favorite: string;
  noFavorites: string;
  station: string;
  noStations: string;
  address: string;
  addressHint: string;
  addressName: string;
  addressNameHint: string;
  resumeHint: string;
  command: string;
  choose: string;
  minutes: string;
  volume: string;
  ownVolume: string;
  ownVolumeHint: string;
  mode: string;
  sameMode: string;
  repeats: string;
  repeatsHint: string;
  endless: string;
  silence: string;
  silenceHint: string;
  seconds: PluralForms;
  from: string;
  to: string;

  files: string;
  cardTop: string;
  folderUp: string;
  /** `{file}`. */
  chosenFile: string;
  noFile: string;
  emptyFolder: string;
  leftOff: PluralForms;
}

const english: TargetsPhrases = {
  surahOf: "{surah}, {reciter}",
  resume: "Resume last playback",
  aStation: "A station",
  goneStation: "A station that was removed",
  aFavorite: "A favorite",
  goneFavorite: "A favorite that was removed",
  commands: {
    toggle: "Pause or resume",
    pause: "Pause",
    stop: "Stop",
    next: "Next surah",
    prev: "Previous surah",
    volume: "Set the volume",
    mode: "Set repeat mode",
    sleep_timer: "Sleep timer",
  },
  volumeTo: "Volume {volume}",
  sleepOff: "Sleep timer off",
  sleepIn: { one: "Stop after # minute", other: "Stop after # minutes" },
  partJoint: ", ",
  stepJoint: ", then ",
  atVolume: "volume {volume}",
  modes: {
    off: "Play once, then stop",
    continuous: "Continue with the next surah",
    repeat_one: "Repeat the same surah",
    hifz_repeat: "Hifz: repeat with pauses",
    hifz_ab: "Hifz: several surahs",
  },
  hifz: "Hifz: {what}",
  times: { one: "# time", other: "# times" },
  endlessly: "endlessly",
  range: "{from} to {to}",
  pause: { one: "# second to recite", other: "# seconds to recite" },

  what: "What should happen?",
  kinds: {
    surah: "Surah",
    favorite: "Favorite",
    station: "Station",
    file: "File",
    stream: "Web address",
    resume: "Resume",
    command: "Command",
    kept: "Keep current",
  },
  reciter: "Reciter",
  surah: "Surah",
  noReciters: "No reciters found. Insert a memory card that has a folder for each reciter.",
  favorite: "Favorite",
  noFavorites: "No favorites yet. Tap the heart next to a surah or a station, then come back.",
  station: "Station",
  noStations: "No stations yet. Add one on the Radio page, then come back.",
  address: "Web address of the stream",
  addressHint: "Starts with http:// or https://",
  addressName: "Name",
  addressNameHint: "Optional.",
  resumeHint: "Continues the last recitation where it stopped.",
  command: "Command",
  choose: "Choose…",
  minutes: "Minutes until it stops (0 = off)",
  volume: "Volume",
  ownVolume: "Set the volume",
  ownVolumeHint: "If off, the volume does not change.",
  mode: "Repeat",
  sameMode: "Do not change",
  repeats: "Number of rounds",
  repeatsHint: "0 = endless",
  endless: "∞",
  silence: "Pause to recite",
  silenceHint: "Time for you to recite from memory.",
  seconds: { one: "# s", other: "# s" },
  from: "From",
  to: "To",

  files: "Files on the card",
  cardTop: "Memory card",
  folderUp: "One folder up",
  chosenFile: "Chosen: {file}",
  noFile: "No file chosen.",
  emptyFolder: "No playable files in this folder.",
  leftOff: { one: "# more entry is not shown.", other: "# more entries are not shown." },
};

const arabic: TargetsPhrases = {
  surahOf: "{surah}، {reciter}",
  resume: "متابعة من حيث توقّف",
  aStation: "إذاعة",
  goneStation: "إذاعة لم تعد محفوظة",
  aFavorite: "من المفضلة",
  goneFavorite: "عنصر لم يعد في المفضلة",
  commands: {
    toggle: "إيقاف مؤقت أو متابعة",
    pause: "إيقاف مؤقت",
    stop: "إيقاف",
    next: "السورة التالية",
    prev: "السورة السابقة",
    volume: "ضبط مستوى الصوت",
    mode: "ضبط التكرار",
    sleep_timer: "مؤقّت النوم",
  },
  volumeTo: "مستوى الصوت {volume}",
  sleepOff: "إلغاء مؤقّت النوم",
  sleepIn: {
    zero: "إلغاء مؤقّت النوم",
    one: "إيقاف بعد دقيقة",
    two: "إيقاف بعد دقيقتين",
    few: "إيقاف بعد # دقائق",
    other: "إيقاف بعد # دقيقة",
  },
  partJoint: "، ",
  stepJoint: "، ثم ",
  atVolume: "الصوت {volume}",
  modes: {
    off: "مرة واحدة ثم يتوقّف",
    continuous: "متابعة السورة التالية",
    repeat_one: "تكرار السورة نفسها",
    hifz_repeat: "حفظ: تكرار مع سكتات",
    hifz_ab: "حفظ: من سورة إلى سورة",
  },
  hifz: "حفظ: {what}",
  times: { one: "مرة واحدة", two: "مرتين", few: "# مرات", other: "# مرة" },
  endlessly: "بلا نهاية",
  range: "من {from} إلى {to}",
  pause: { one: "سكتة ثانية واحدة", two: "سكتة ثانيتين", few: "سكتة # ثوانٍ", other: "سكتة # ثانية" },

  what: "ماذا يحدث؟",
  kinds: {
    surah: "سورة",
    favorite: "مفضلة",
    station: "إذاعة",
    file: "ملف",
    stream: "عنوان شبكة",
    resume: "متابعة",
    command: "أمر",
    kept: "كما هو الآن",
  },
  reciter: "القارئ",
  surah: "السورة",
  noReciters: "لم يُعثر على قرّاء في بطاقة الذاكرة. ضع بطاقة فيها مجلد لكل قارئ.",
  favorite: "المفضلة",
  noFavorites: "لا شيء في المفضلة بعد. المس القلب بجانب سورة أو إذاعة ثم عد إلى هنا.",
  station: "الإذاعة",
  noStations: "لم تُحفظ إذاعة بعد. أضف واحدة في صفحة الإذاعة ثم عد إلى هنا.",
  address: "عنوان البث على الشبكة",
  addressHint: "يبدأ بـ \u2066http://\u2069 أو \u2066https://\u2069",
  addressName: "الاسم",
  addressNameHint: "الاسم الذي تختاره له، ويمكن تركه فارغًا.",
  resumeHint: "يستأنف آخر تلاوة من حيث توقّفت.",
  command: "الأمر",
  choose: "اختر…",
  minutes: "الدقائق حتى يتوقّف (٠ للإلغاء)",
  volume: "مستوى الصوت",
  ownVolume: "بمستوى صوت خاص",
  ownVolumeHint: "عند إيقافه لا يتغيّر مستوى الصوت.",
  mode: "التكرار",
  sameMode: "دون تغيير",
  repeats: "عدد مرات الاستماع",
  repeatsHint: "٠ يعني بلا نهاية.",
  endless: "∞",
  silence: "مهلة التسميع",
  silenceHint: "وقت لتسمّع من حفظك.",
  seconds: { other: "# ث" },
  from: "من",
  to: "إلى",

  files: "ملفات البطاقة",
  cardTop: "بطاقة الذاكرة",
  folderUp: "المجلد الأعلى",
  chosenFile: "المختار: {file}",
  noFile: "لم يُختر ملف بعد.",
  emptyFolder: "لا شيء في هذا المجلد يمكن تشغيله.",
  leftOff: {
    one: "عنصر آخر غير ظاهر.",
    two: "عنصران آخران غير ظاهرين.",
    few: "# عناصر أخرى غير ظاهرة.",
    many: "# عنصرًا آخر غير ظاهر.",
    other: "# عنصر آخر غير ظاهر.",
  },
};

export const targetsPhrases: Translations<TargetsPhrases> = { en: english, ar: arabic };
