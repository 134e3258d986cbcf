import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";
import { recordingPhrases } from "./recording-phrases.ts";
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
  getRecording: string;
  toUpload: string;
  top: string;
  up: string;
  emptyFolder: string;
  leftOff: PluralForms;
  test: string;
  stop: string;
  testHint: string;
  methods: readonly [string, string, string, string, string];
  /** `{method}`, `{fajr}` and `{isha}`: degrees. */
  angles: string;
  /** The same, with Isha at a fixed time after Maghrib. */
  anglesInterval: string;
  /** `{method}` and `{asr}`. */
  methodUsual: string;
  methodClosest: string;
  closestHint: string;
  /** `{prayer}` and `{minutes}`, with their sign. */
  offset: string;
  /** `{offsets}`. */
  offsets: string;
  comma: string;
  asrStandard: string;
  asrHanafi: string;
}

const english: AdhanPhrases = {
  marks: { good: "OK", noted: "Check this", bad: "Missing" },
  points: {
    adhanOn: "The adhan is on.",
    adhanOff: "The adhan is off. Switch it on above.",
    noneChosen: "The adhan is on, but no prayer is selected. Switch one on above.",
    noPlace: "The location is not set. Choose it below.",
    clockServer: "The clock is correct: it is set from the internet.",
    clockChip: "The clock is correct: a clock chip keeps the time, even without power.",
    clockHand: "The clock was set by hand. It may drift over time or be wrong after a power cut.",
    clockNone: "The player does not know the time. Connect it to the internet, or set its clock.",
    zoneSame: "The time zone matches this device.",
    zoneOther: "The time zone ({zone}) differs from this device. This is correct only if the player is somewhere else.",
    soundWorks: "The sound output works.",
    soundFailed: "No sound: the sound output did not start.",
    soundUnknown: "The sound output could not be checked.",
    fileThere: "The adhan recording is on the card.",
    ...recordingPhrases.en,
    fileToneOthers: "Only Fajr has a recording. At the other prayers a short tone will sound, not an adhan.",
    volumeGood: "The volume is {value} %.",
    volumeLow: "It will be very quiet: the volume is {value} %.",
    volumeZero: "It will be silent: the volume is 0. Turn it up.",
    sleepsAndWakes: "The player sleeps after {minutes} without use and wakes up for the adhan.",
    sleeps: "The player sleeps after {minutes} without use. Without a clock chip it cannot wake up for the adhan.",
    batteryLow: "The battery is at {value} %. Connect the charger.",
  },
  minutesForms: { one: "# minute", other: "# minutes" },
  file: "Adhan",
  tone: "A short tone, not an adhan",
  chooseFile: "Choose an adhan",
  change: "Change",
  getRecording: "Choose a recording from the card, or add one in the library.",
  toUpload: "Open the library",
  top: "Memory card",
  up: "One folder up",
  emptyFolder: "No audio files here.",
  leftOff: { one: "One more entry is not shown.", other: "# more entries are not shown." },
  test: "Play it now",
  stop: "Stop",
  testHint: "Plays on the player, as at prayer time.",
  methods: [
    "Muslim World League",
    "North America (ISNA)",
    "Egyptian Survey Authority",
    "Umm al-Qura, Mecca",
    "University of Karachi",
  ],
  angles: "{method} (Fajr {fajr}°, Isha {isha}°)",
  anglesInterval: "{method} (Fajr {fajr}°, Isha 90 min after Maghrib)",
  methodUsual: "Usual method: {method}. Asr: {asr}",
  methodClosest: "Closest method: {method}. Asr: {asr}",
  closestHint:
    "Your mosque may use other angles. Compare the times, and correct them with “Adjust times” on the Prayer page.",
  offset: "{prayer} {minutes} min",
  offsets: "Adjusted as usual there: {offsets}",
  comma: ", ",
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
    clockNone: "ساعة المشغّل غير مضبوطة. صِله بالإنترنت أو اضبطها.",
    zoneSame: "منطقته الزمنية هي منطقة هذا الجهاز.",
    zoneOther: "منطقته الزمنية ({zone}) غير منطقة هذا الجهاز. لا يصح ذلك إلا إن كان المشغّل في مكان آخر.",
    soundWorks: "مخرج الصوت يعمل.",
    soundFailed: "لا صوت: تعذّر تشغيل مخرج الصوت.",
    soundUnknown: "تعذّر فحص مخرج الصوت.",
    fileThere: "تسجيل الأذان موجود على البطاقة.",
    ...recordingPhrases.ar,
    fileToneOthers: "للفجر وحده تسجيل. وفي سائر الصلوات ستُسمع نغمة قصيرة لا أذان.",
    volumeGood: "سيُسمع: مستوى الصوت {value}٪.",
    volumeLow: "سيكون خافتًا جدًا: مستوى الصوت {value}٪.",
    volumeZero: "لن يُسمع: مستوى الصوت صفر.",
    sleepsAndWakes: "ينطفئ المشغّل بعد {minutes} بلا استعمال، ويستيقظ للأذان.",
    sleeps: "ينطفئ المشغّل بعد {minutes} بلا استعمال، ولا يستيقظ تلقائيًا بلا شريحة ساعة.",
    batteryLow: "البطارية عند {value}٪. صِل الشاحن.",
  },
  minutesForms: { one: "دقيقة واحدة", two: "دقيقتين", few: "# دقائق", other: "# دقيقة" },
  file: "الأذان",
  tone: "نغمة قصيرة لا أذان",
  chooseFile: "اختر أذانًا",
  change: "غيّره",
  getRecording: "اختر تسجيلًا من البطاقة، أو أضف واحدًا من المكتبة.",
  toUpload: "افتح المكتبة",
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
  angles: "{method} (الفجر {fajr}°، العشاء {isha}°)",
  anglesInterval: "{method} (الفجر {fajr}°، العشاء بعد المغرب بـ٩٠ دقيقة)",
  methodUsual: "الطريقة المعتادة هناك: {method}. العصر: {asr}",
  methodClosest: "أقرب طريقة: {method}. العصر: {asr}",
  closestHint: "قد يعتمد مسجدك زوايا أخرى. قارن الأوقات، وصحّحها من «اضبط الأوقات» في صفحة الصلاة.",
  offset: "{prayer} {minutes} د",
  offsets: "مع التعديل المعتاد هناك: {offsets}",
  comma: "، ",
  asrStandard: "الجمهور",
  asrHanafi: "الحنفي (متأخر)",
};

export const adhanPhrases: Translations<AdhanPhrases> = { en: english, ar: arabic };
