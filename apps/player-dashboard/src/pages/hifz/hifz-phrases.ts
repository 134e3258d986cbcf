import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";
import type { Refusal } from "./drill.ts";

interface HifzPhrases {
  today: PluralForms;
  todayNone: string;
  running: string;
  /** The mode is on, but nothing is repeated at the moment. */
  standing: string;
  /** `{number}` and `{target}`. */
  round: string;
  /** `{number}`. */
  roundEndless: string;
  pauseBetween: PluralForms;
  done: string;
  ready: string;
  toNormal: string;
  toNormalHint: string;
  stop: string;
  again: string;
  newDrill: string;
  reciter: string;
  scope: string;
  oneSurah: string;
  range: string;
  surah: string;
  from: string;
  to: string;
  /** `{name}`: a surah that is not on the card. */
  missing: string;
  repeats: string;
  repeatsEach: string;
  endless: string;
  times: PluralForms;
  exactly: string;
  silence: string;
  silenceHint: string;
  noSilence: string;
  seconds: PluralForms;
  skipped: PluralForms;
  start: string;
  refusals: Readonly<Record<Refusal, string>>;
  about: string;
}

const english: HifzPhrases = {
  today: { one: "# round today", other: "# rounds today" },
  todayNone: "Nothing practised today",
  running: "Current drill",
  standing: "Last drill",
  round: "Round {number} of {target}",
  roundEndless: "Round {number}",
  pauseBetween: { one: "# second to recite between rounds", other: "# seconds to recite between rounds" },
  done: "Well done! All rounds are done.",
  ready: "Hifz is on. The next surah you play will repeat.",
  toNormal: "End the drill",
  toNormalHint: "End the drill and keep playing.",
  stop: "Stop",
  again: "Start again",
  newDrill: "What do you want to memorize?",
  reciter: "Reciter",
  scope: "How much",
  oneSurah: "One surah",
  range: "Several surahs",
  surah: "Surah",
  from: "From surah",
  to: "To surah",
  missing: "{name} (not on the card)",
  repeats: "Repeat",
  repeatsEach: "Repeat each surah",
  endless: "Endless",
  times: { one: "# time", other: "# times" },
  exactly: "Exactly",
  silence: "Pause to recite",
  silenceHint: "Time for you to recite from memory.",
  noSilence: "None",
  seconds: { one: "# s", other: "# s" },
  skipped: {
    one: "# surah in this range is not on the card and will be skipped.",
    other: "# surahs in this range are not on the card and will be skipped.",
  },
  start: "Start",
  refusals: {
    backwards: "The first surah must come before the last one. Swap them.",
    missing: "This surah is not on the card for this reciter. Choose another one.",
    empty: "None of these surahs is on the card for this reciter. Choose other surahs or another reciter.",
  },
  about: "Repeats one surah or several, with a pause after each round for you to recite.",
};

const arabic: HifzPhrases = {
  today: {
    zero: "لم تتدرّب اليوم بعد",
    one: "مرّة واحدة اليوم",
    two: "مرّتان اليوم",
    few: "# مرّات اليوم",
    many: "# مرّة اليوم",
    other: "# مرّة اليوم",
  },
  todayNone: "لم تتدرّب اليوم بعد",
  running: "التدريب الحالي",
  standing: "آخر تدريب",
  round: "المرّة {number} من {target}",
  roundEndless: "المرّة {number}",
  pauseBetween: {
    one: "ثانية للتسميع بين المرّات",
    two: "ثانيتان للتسميع بين المرّات",
    few: "# ثوانٍ للتسميع بين المرّات",
    many: "# ثانية للتسميع بين المرّات",
    other: "# ثانية للتسميع بين المرّات",
  },
  done: "أحسنت، اكتملت المرّات كلّها",
  ready: "وضع الحفظ مفعّل، وستتكرّر السورة التالية التي تشغّلها.",
  toNormal: "إنهاء التدريب",
  toNormalHint: "ينهي التدريب ويستمر التشغيل.",
  stop: "إيقاف",
  again: "ابدأ من جديد",
  newDrill: "ماذا تريد أن تحفظ؟",
  reciter: "القارئ",
  scope: "المقدار",
  oneSurah: "سورة واحدة",
  range: "عدة سور",
  surah: "السورة",
  from: "من سورة",
  to: "إلى سورة",
  missing: "{name} (ليست على البطاقة)",
  repeats: "التكرار",
  repeatsEach: "تكرار كل سورة",
  endless: "بلا نهاية",
  times: { one: "مرّة", two: "مرّتان", few: "# مرّات", many: "# مرّة", other: "# مرّة" },
  exactly: "بالضبط",
  silence: "مهلة التسميع",
  silenceHint: "وقت لتسمّع من حفظك.",
  noSilence: "بلا مهلة",
  seconds: { other: "# ث" },
  skipped: {
    one: "سورة واحدة من هذا المقدار ليست على البطاقة وتُتجاوز.",
    two: "سورتان من هذا المقدار ليستا على البطاقة وتُتجاوزان.",
    few: "# سور من هذا المقدار ليست على البطاقة وتُتجاوز.",
    many: "# سورة من هذا المقدار ليست على البطاقة وتُتجاوز.",
    other: "# سورة من هذا المقدار ليست على البطاقة وتُتجاوز.",
  },
  start: "ابدأ",
  refusals: {
    backwards: "السورة الأولى بعد الأخيرة. بدّل بينهما.",
    missing: "ليست هذه السورة على البطاقة لهذا القارئ. اختر سورة أخرى.",
    empty: "ليس على البطاقة لهذا القارئ أي سورة من هذا المقدار. اختر مقدارًا أو قارئًا آخر.",
  },
  about: "يكرّر سورة أو عدة سور، مع مهلة بعد كل مرّة لتسمّع من حفظك.",
};

export const hifzPhrases: Translations<HifzPhrases> = { en: english, ar: arabic };
