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
  onlyCard: string;
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
  notFound: "No surah found for “{typed}”.",
  juz: "Go to juz",
  juzStart: "Juz {juz}: starts at {surah}, verse {verse}",
  play: "Play",
  pause: "Pause",
  resume: "Resume",
  missing: "Not on the card",
  missingHint: {
    one: "# surah is not on the card.",
    other: "# surahs are not on the card.",
  },
  onlyCard: "Only what is on the card",
  playing: "Playing now",
  locked: "You need the token to play. You enter it once.",
  unknownReciter: "This reciter is not on the card",
  unknownReciterHint: "The memory card may have changed. See all reciters in the library.",
  reports: { one: "# file is skipped", other: "# files are skipped" },
  reportsHint: "The player works normally. Rename or move these files to play them.",
  reportKinds: {
    verse: "Single verses: the player only plays whole surahs",
    noNumber: "The name does not start with a surah number",
    wrongNumber: "The number is not between 1 and 114",
    noFolder: "Not in a reciter's folder",
    inner: "Folders inside a reciter's folder are not read",
    double: "Duplicate: the same surah or name exists twice; one is used",
    unreadable: "Cannot be read",
    limit: "Over the limit of what the player can read",
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
    one: "سورة واحدة ليست على البطاقة.",
    two: "سورتان ليستا على البطاقة.",
    few: "# سور ليست على البطاقة.",
    many: "# سورة ليست على البطاقة.",
    other: "# سورة ليست على البطاقة.",
  },
  onlyCard: "ما على البطاقة فقط",
  playing: "تُسمع الآن",
  locked: "يطلب التشغيل الرمز مرّة واحدة.",
  unknownReciter: "هذا القارئ ليس على البطاقة",
  unknownReciterHint: "ربما تغيّرت البطاقة، وكل القرّاء في المكتبة.",
  reports: {
    one: "ملف واحد لا يُشغَّل",
    two: "ملفّان لا يُشغَّلان",
    few: "# ملفات لا تُشغَّل",
    many: "# ملفًا لا يُشغَّل",
    other: "# ملف لا يُشغَّل",
  },
  reportsHint: "المشغّل سليم. غيّر أسماء هذه الملفات أو أماكنها لتشغيلها.",
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
