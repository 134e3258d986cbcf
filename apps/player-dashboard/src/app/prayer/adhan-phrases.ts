import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";
import type { Mark, TrustPoint } from "./trust.ts";

interface AdhanPhrases {
  marks: Readonly<Record<Mark, string>>;
  /** `{value}` where there is a number, `{minutes}` for one of time, `{zone}` for the zone of the player. */
  points: Readonly<Record<TrustPoint["say"], string>>;
  minutesForms: PluralForms;
  file: string;
  tone: string;
  chooseFile: string;
  change: string;
  top: string;
  up: string;
  emptyFolder: string;
  leftOff: PluralForms;
  test: string;
  stop: string;
  testHint: string;
  methods: readonly [string, string, string, string, string];
  asrStandard: string;
  asrHanafi: string;
}

const english: AdhanPhrases = {
  marks: { good: "In order", noted: "Worth a look", bad: "Missing" },
  points: {
    adhanOn: "The adhan is on.",
    adhanOff: "The adhan is off. Switch it on above.",
    noneChosen: "The adhan is on, but for no prayer. Switch one on above.",
    noPlace: "The place is not set.",
    clockServer: "The clock is right: it is set by a time server.",
    clockChip: "The clock is right: a clock chip keeps it, also without power.",
    clockHand: "The clock was set by hand. It may go wrong over the months, and after a power cut.",
    clockNone: "The player does not know the time. Connect it to the internet, or set its clock.",
    zoneSame: "Its time zone is the same as this phone's.",
    zoneOther: "Its time zone ({zone}) is not the one of this phone. Right only if the player is elsewhere.",
    fileThere: "The adhan's file is on the card.",
    fileTone: "The built-in tone will sound. You can choose an adhan from the card.",
    fileMissing: "The chosen file is not on the card. The built-in tone will sound instead.",
    volumeGood: "It will be heard: volume {value} %.",
    volumeLow: "It will be very quiet: volume {value} %.",
    volumeZero: "It would not be heard: the volume is 0.",
    sleepsAndWakes: "The player switches off after {minutes} without use, and wakes up for the adhan.",
    sleeps: "The player switches off after {minutes} without use. Without a clock chip it does not wake up by itself.",
    batteryLow: "The battery is at {value} %. Connect the charger.",
  },
  minutesForms: { one: "# minute", other: "# minutes" },
  file: "Adhan",
  tone: "Built-in tone",
  chooseFile: "Choose an adhan",
  change: "Change",
  top: "Memory card",
  up: "One folder up",
  emptyFolder: "There is no audio file here.",
  leftOff: { one: "One more entry is not shown.", other: "# more entries are not shown." },
  test: "Listen to it now",
  stop: "Stop it",
  testHint: "It sounds from the player, as it would at prayer time.",
  methods: [
    "Muslim World League",
    "North America (ISNA)",
    "Egyptian Survey Authority",
    "Umm al-Qura, Mecca",
    "University of Karachi",
  ],
  asrStandard: "Standard",
  asrHanafi: "Hanafi (later)",
};

const arabic: AdhanPhrases = {
  marks: { good: "سليم", noted: "يستحق الانتباه", bad: "ناقص" },
  points: {
    adhanOn: "الأذان مفعّل.",
    adhanOff: "الأذان متوقف. فعّله أعلاه.",
    noneChosen: "الأذان مفعّل، ولكن ليس لأي صلاة. فعّل صلاة أعلاه.",
    noPlace: "لم يُحدَّد المكان.",
    clockServer: "الساعة صحيحة: يضبطها خادم للوقت.",
    clockChip: "الساعة صحيحة: تحفظها شريحة ساعة حتى بلا كهرباء.",
    clockHand: "ضُبطت الساعة باليد، فقد تختل مع مرور الشهور أو بعد انقطاع الكهرباء.",
    clockNone: "لا يعرف المشغّل الوقت. صِله بالإنترنت أو اضبط ساعته.",
    zoneSame: "منطقته الزمنية هي منطقة هذا الهاتف.",
    zoneOther: "منطقته الزمنية ({zone}) غير منطقة هذا الهاتف. لا يصح ذلك إلا إن كان المشغّل في مكان آخر.",
    fileThere: "ملف الأذان موجود على البطاقة.",
    fileTone: "ستُسمع النغمة المدمجة. يمكنك اختيار أذان من البطاقة.",
    fileMissing: "الملف المختار غير موجود على البطاقة. ستُسمع النغمة المدمجة بدلًا منه.",
    volumeGood: "سيُسمع: مستوى الصوت {value}٪.",
    volumeLow: "سيكون خافتًا جدًا: مستوى الصوت {value}٪.",
    volumeZero: "لن يُسمع: مستوى الصوت صفر.",
    sleepsAndWakes: "ينطفئ المشغّل بعد {minutes} بلا استعمال، ويستيقظ للأذان.",
    sleeps: "ينطفئ المشغّل بعد {minutes} بلا استعمال، ولا يستيقظ تلقائيًا بلا شريحة ساعة.",
    batteryLow: "البطارية عند {value}٪. صِل الشاحن.",
  },
  minutesForms: { one: "دقيقة واحدة", two: "دقيقتين", few: "# دقائق", other: "# دقيقة" },
  file: "الأذان",
  tone: "النغمة المدمجة",
  chooseFile: "اختر أذانًا",
  change: "غيّره",
  top: "بطاقة الذاكرة",
  up: "المجلد الأعلى",
  emptyFolder: "لا يوجد ملف صوتي هنا.",
  leftOff: {
    one: "لم يُعرض عنصر واحد آخر.",
    two: "لم يُعرض عنصران آخران.",
    few: "لم تُعرض # عناصر أخرى.",
    other: "لم يُعرض # عنصرًا آخر.",
  },
  test: "استمع إليه الآن",
  stop: "أوقفه",
  testHint: "يُسمع من المشغّل كما في وقت الصلاة.",
  methods: [
    "رابطة العالم الإسلامي",
    "أمريكا الشمالية (إسنا)",
    "الهيئة المصرية للمساحة",
    "أم القرى، مكة المكرمة",
    "جامعة كراتشي",
  ],
  asrStandard: "الجمهور",
  asrHanafi: "الحنفي (متأخر)",
};

export const adhanPhrases: Translations<AdhanPhrases> = { en: english, ar: arabic };
