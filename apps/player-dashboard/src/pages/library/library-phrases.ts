import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";
import type { ReportKind } from "./card-reports.ts";

interface LibraryPhrases {
  reciters: string;
  surahs: PluralForms;
  recitersCount: PluralForms;
  complete: string;
  /** `{reciters}` and `{surahs}`: what was found so far. */
  scanning: string;
  search: string;
  searchHint: string;
  found: PluralForms;
  /** `{typed}`. */
  notFound: string;
  juz: string;
  /** `{juz}`, `{surah}` and `{verse}`. */
  juzStart: string;
  /** Said before the name of the surah, as are the next two. */
  play: string;
  pause: string;
  resume: string;
  missing: string;
  missingHint: PluralForms;
  playing: string;
  locked: string;
  unknownReciter: string;
  unknownReciterHint: string;
  reports: PluralForms;
  reportsHint: string;
  reportKinds: Readonly<Record<ReportKind, string>>;
  andMore: PluralForms;
}

const english: LibraryPhrases = {
  reciters: "Reciters",
  surahs: { one: "# surah", other: "# surahs" },
  recitersCount: { one: "# reciter", other: "# reciters" },
  complete: "Complete",
  scanning: "Reading the card: {reciters}, {surahs} so far",
  search: "Find a surah",
  searchHint: "Name in Arabic or Latin letters, or number",
  found: { one: "# surah found", other: "# surahs found" },
  notFound: "No surah is called “{typed}”.",
  juz: "Go to juz",
  juzStart: "Juz {juz}: begins in {surah}, verse {verse}",
  play: "Play",
  pause: "Pause",
  resume: "Go on with",
  missing: "Not on the card",
  missingHint: {
    one: "# surah is grey: this reciter's folder has no file for it.",
    other: "# surahs are grey: this reciter's folder has no files for them.",
  },
  playing: "Playing now",
  locked: "Playing asks for the token once.",
  unknownReciter: "This reciter is not on the card",
  unknownReciterHint: "The card may have been changed. All reciters are in the library.",
  reports: { one: "# thing on the card is not played", other: "# things on the card are not played" },
  reportsHint: "Nothing is wrong with the player. Rename or move them if they should be heard.",
  reportKinds: {
    verse: "Single verses: the player plays whole surahs",
    noNumber: "The name does not begin with a surah's number",
    wrongNumber: "The number is not one of 1 to 114",
    noFolder: "Lies in no reciter's folder",
    inner: "A folder inside a reciter's folder is not read",
    double: "The same surah or name is there twice; one is used",
    unreadable: "Cannot be read",
    limit: "More than the player can read",
  },
  andMore: { one: "and # more", other: "and # more" },
};

const arabic: LibraryPhrases = {
  reciters: "القرّاء",
  surahs: {
    zero: "لا سور",
    one: "سورة واحدة",
    two: "سورتان",
    few: "# سور",
    many: "# سورة",
    other: "# سورة",
  },
  recitersCount: {
    zero: "لا قرّاء",
    one: "قارئ واحد",
    two: "قارئان",
    few: "# قرّاء",
    many: "# قارئًا",
    other: "# قارئ",
  },
  complete: "كاملة",
  scanning: "تجري قراءة البطاقة: {reciters}، {surahs} حتى الآن",
  search: "ابحث عن سورة",
  searchHint: "بالاسم العربي أو اللاتيني، أو بالرقم",
  found: {
    zero: "لا سور",
    one: "وُجدت سورة واحدة",
    two: "وُجدت سورتان",
    few: "وُجدت # سور",
    many: "وُجدت # سورة",
    other: "وُجدت # سورة",
  },
  notFound: "لا توجد سورة باسم «{typed}».",
  juz: "إلى الجزء",
  juzStart: "الجزء {juz}: يبدأ في {surah}، الآية {verse}",
  play: "شغّل",
  pause: "أوقف مؤقتًا",
  resume: "أكمل",
  missing: "ليست على البطاقة",
  missingHint: {
    one: "سورة واحدة باهتة: لا ملف لها في مجلد هذا القارئ.",
    two: "سورتان باهتتان: لا ملفّين لهما في مجلد هذا القارئ.",
    few: "# سور باهتة: لا ملفات لها في مجلد هذا القارئ.",
    many: "# سورة باهتة: لا ملفات لها في مجلد هذا القارئ.",
    other: "# سورة باهتة: لا ملفات لها في مجلد هذا القارئ.",
  },
  playing: "تُسمع الآن",
  locked: "يطلب التشغيل الرمز مرّة واحدة.",
  unknownReciter: "هذا القارئ ليس على البطاقة",
  unknownReciterHint: "ربما تغيّرت البطاقة، وكل القرّاء في المكتبة.",
  reports: {
    one: "شيء واحد على البطاقة لا يُشغَّل",
    two: "شيئان على البطاقة لا يُشغَّلان",
    few: "# أشياء على البطاقة لا تُشغَّل",
    many: "# شيئًا على البطاقة لا يُشغَّل",
    other: "# شيء على البطاقة لا يُشغَّل",
  },
  reportsHint: "لا عيب في المشغّل. غيّر أسماءها أو أماكنها إن أردت سماعها.",
  reportKinds: {
    verse: "آيات مفردة: المشغّل يشغّل السور كاملة",
    noNumber: "الاسم لا يبدأ برقم سورة",
    wrongNumber: "الرقم ليس من ١ إلى ١١٤",
    noFolder: "ليس في مجلد قارئ",
    inner: "لا يُقرأ مجلد داخل مجلد قارئ",
    double: "السورة أو الاسم مكرّر، ويُستعمل واحد منهما",
    unreadable: "تتعذّر قراءته",
    limit: "أكثر مما يستطيع المشغّل قراءته",
  },
  andMore: { one: "وواحد غيرها", two: "واثنان غيرها", few: "و# غيرها", other: "و# غيرها" },
};

export const libraryPhrases: Translations<LibraryPhrases> = { en: english, ar: arabic };
