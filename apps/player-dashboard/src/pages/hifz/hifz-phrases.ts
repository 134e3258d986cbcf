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
  hearing: string;
  /** `{number}`. */
  hearingEndless: string;
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
  today: { one: "# hearing today", other: "# hearings today" },
  todayNone: "No hearing yet today",
  running: "Running now",
  standing: "Your last drill",
  hearing: "Hearing {number} of {target}",
  hearingEndless: "Hearing {number}",
  pauseBetween: { one: "# second of silence between hearings", other: "# seconds of silence between hearings" },
  done: "Well done: all hearings are finished",
  ready: "Hifz is on and waits. What you play next is repeated.",
  toNormal: "Back to normal",
  toNormalHint: "Back to normal: the surah goes on without repeating.",
  stop: "Stop",
  again: "Start again",
  newDrill: "What do you want to learn?",
  reciter: "Reciter",
  scope: "How much",
  oneSurah: "One surah",
  range: "From … to …",
  surah: "Surah",
  from: "From surah",
  to: "To surah",
  missing: "{name} (not on the card)",
  repeats: "How many hearings",
  repeatsEach: "How many hearings of each surah",
  endless: "Endless",
  times: { one: "# time", other: "# times" },
  exactly: "Exactly",
  silence: "Silence between hearings",
  silenceHint: "Time to recite it yourself.",
  noSilence: "None",
  seconds: { one: "# s", other: "# s" },
  skipped: {
    one: "# surah of this range is not on the card and is skipped.",
    other: "# surahs of this range are not on the card and are skipped.",
  },
  start: "Start",
  refusals: {
    backwards: "The first surah comes after the last one. Swap them.",
    missing: "This reciter does not have this surah on the card. Choose another one.",
    empty: "This reciter has no surah of this range on the card. Choose another range or reciter.",
  },
  about: "A surah, or several in a row, again and again, with time to recite in between.",
};

const arabic: HifzPhrases = {
  today: {
    zero: "لم تسمع شيئًا اليوم بعد",
    one: "مرّة واحدة اليوم",
    two: "مرّتان اليوم",
    few: "# مرّات اليوم",
    many: "# مرّة اليوم",
    other: "# مرّة اليوم",
  },
  todayNone: "لم تسمع شيئًا اليوم بعد",
  running: "يعمل الآن",
  standing: "آخر حفظ",
  hearing: "المرّة {number} من {target}",
  hearingEndless: "المرّة {number}",
  pauseBetween: {
    one: "ثانية صمت بين المرّات",
    two: "ثانيتا صمت بين المرّات",
    few: "# ثوانٍ من الصمت بين المرّات",
    many: "# ثانية من الصمت بين المرّات",
    other: "# ثانية من الصمت بين المرّات",
  },
  done: "أحسنت، اكتملت المرّات كلّها",
  ready: "وضع الحفظ يعمل وينتظر، وما تشغّله بعد الآن يتكرّر.",
  toNormal: "عودة إلى المعتاد",
  toNormalHint: "عودة إلى المعتاد: تستمر السورة دون تكرار.",
  stop: "إيقاف",
  again: "ابدأ من جديد",
  newDrill: "ماذا تريد أن تحفظ؟",
  reciter: "القارئ",
  scope: "المقدار",
  oneSurah: "سورة واحدة",
  range: "من … إلى …",
  surah: "السورة",
  from: "من سورة",
  to: "إلى سورة",
  missing: "{name} (ليست على البطاقة)",
  repeats: "عدد المرّات",
  repeatsEach: "عدد مرّات كل سورة",
  endless: "بلا نهاية",
  times: { one: "مرّة", two: "مرّتان", few: "# مرّات", many: "# مرّة", other: "# مرّة" },
  exactly: "بالضبط",
  silence: "الصمت بين المرّات",
  silenceHint: "وقت لتقرأها بنفسك.",
  noSilence: "بلا صمت",
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
  about: "سورة أو سور متتالية تُعاد مرّة بعد مرّة، وبينها وقت لتقرأ بنفسك.",
};

export const hifzPhrases: Translations<HifzPhrases> = { en: english, ar: arabic };
