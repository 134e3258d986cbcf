import type { HighLatitudeRule } from "@player/service/contract/prayer";
import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";
import type { Mark, TrustPoint } from "./trust.ts";

interface PrayerPhrases {
  today: string;
  now: string;
  /** `{countdown}`. */
  tomorrowIn: string;
  adhan: string;
  adhanHint: string;
  /** `{prayer}`. */
  adhanFor: string;
  adjust: string;
  adjustHint: string;
  adjustDone: string;
  /** `{minutes}`, with its sign. */
  minutes: string;
  month: string;
  noPlace: string;
  noPlaceHint: string;
  startGuide: string;

  trust: string;
  verdict: Readonly<Record<Mark, string>>;
  verdictOff: string;
  switchOn: string;
  marks: Readonly<Record<Mark, string>>;
  /** `{value}` where there is a number, `{minutes}` for one of time, `{zone}` for the zone of the player. */
  points: Readonly<Record<TrustPoint["say"], string>>;
  minutesForms: PluralForms;
  upcoming: string;
  todayAt: string;
  tomorrowAt: string;
  /** `{day}` and `{time}`. */
  dayAt: string;

  sound: string;
  volume: string;
  volumeHint: string;
  volumeKept: string;
  /** `{percent}`. */
  percent: string;
  file: string;
  fajrFile: string;
  tone: string;
  sameFile: string;
  chooseFile: string;
  chooseFajrFile: string;
  change: string;
  top: string;
  up: string;
  emptyFolder: string;
  leftOff: PluralForms;
  test: string;
  stop: string;
  testHint: string;
  after: string;
  afterResume: string;
  afterPaused: string;

  calculation: string;
  method: string;
  methods: readonly [string, string, string, string, string];
  asr: string;
  asrStandard: string;
  asrHanafi: string;
  asrHint: string;
  highLatitude: string;
  highLatitudes: Readonly<Record<HighLatitudeRule | "auto", string>>;
  /** `{rule}`. */
  ruleInForce: string;
  whyChosen: string;
  whyNear: string;
  whyFar: string;
  whyNearest: string;
  hijriAdjust: string;
  hijriAdjustHint: string;

  place: string;
  changePlace: string;
  zone: string;
  /** `{place}`. */
  usePlace: string;
  /** `{method}` and `{asr}`. */
  takeMethod: string;
  takeMethodHint: string;
  /** `{zone}`. */
  takeZone: string;
  takeZoneHint: string;
  confirmPlace: string;
  otherPlace: string;
  /** `{place}`. */
  placeSet: string;

  qibla: string;
  /** `{degrees}` and `{wind}`. */
  qiblaWords: string;
  /** `{km}`. */
  qiblaAway: string;
  winds: readonly [string, string, string, string, string, string, string, string];
  letters: readonly [string, string, string, string];
  night: string;
  imsak: string;
  imsakHint: string;
  midnight: string;
  midnightHint: string;
  lastThird: string;
  lastThirdHint: string;
}

const english: PrayerPhrases = {
  today: "Today",
  now: "Now",
  tomorrowIn: "Tomorrow, in {countdown}",
  adhan: "Call to prayer (adhan)",
  adhanHint: "Sounds by itself at the times that are switched on below.",
  adhanFor: "Adhan for {prayer}",
  adjust: "Adjust times",
  adjustHint: "Minutes added to what is computed, so that the times are those of your mosque.",
  adjustDone: "Done",
  minutes: "{minutes} min",
  month: "Month table",
  noPlace: "The player does not know where it is yet.",
  noPlaceHint: "Prayer times follow the sun, so they need a place. Everything is computed on the player itself.",
  startGuide: "Start the guide",

  trust: "Will the next adhan play?",
  verdict: { good: "Yes, everything is in order.", noted: "Yes, but look at this.", bad: "No. Something is missing." },
  verdictOff: "No, the adhan is switched off.",
  switchOn: "Switch it on",
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
  upcoming: "Next adhans",
  todayAt: "Today at {time}",
  tomorrowAt: "Tomorrow at {time}",
  dayAt: "{day} at {time}",

  sound: "Sound of the adhan",
  volume: "Volume",
  volumeHint: "All the way down: as loud as the player is at that moment.",
  volumeKept: "As it is",
  percent: "{percent} %",
  file: "Adhan",
  fajrFile: "Adhan for Fajr",
  tone: "Built-in tone",
  sameFile: "Same as the others",
  chooseFile: "Choose an adhan",
  chooseFajrFile: "Choose an adhan for Fajr",
  change: "Change",
  top: "Memory card",
  up: "One folder up",
  emptyFolder: "There is no audio file here.",
  leftOff: { one: "One more entry is not shown.", other: "# more entries are not shown." },
  test: "Listen to it now",
  stop: "Stop it",
  testHint: "It sounds from the player, as it would at prayer time.",
  after: "Afterwards",
  afterResume: "Go on playing",
  afterPaused: "Stay paused",

  calculation: "How it is computed",
  method: "Method",
  methods: [
    "Muslim World League",
    "North America (ISNA)",
    "Egyptian Survey Authority",
    "Umm al-Qura, Mecca",
    "University of Karachi",
  ],
  asr: "Asr",
  asrStandard: "Standard",
  asrHanafi: "Hanafi (later)",
  asrHint: "Standard is Shafi'i, Maliki and Hanbali.",
  highLatitude: "Where the night is short",
  highLatitudes: {
    auto: "Automatic",
    middle_of_the_night: "Middle of the night",
    seventh_of_the_night: "Seventh of the night",
    twilight_angle: "Share of the twilight angle",
  },
  ruleInForce: "In force: {rule}.",
  whyChosen: "You chose it.",
  whyNear: "Chosen because this place lies below 48° of latitude; it matters on few days, if ever.",
  whyFar: "Chosen because this place lies above 48° of latitude, where twilight may last all night in summer.",
  whyNearest: "The sun does not rise or set here today, so the times are those of the nearest latitude where it does.",
  hijriAdjust: "Hijri date",
  hijriAdjustHint: "The calendar is computed. If the moon was sighted earlier or later where you are, correct it here.",

  place: "Place",
  changePlace: "Change place",
  zone: "Time zone",
  usePlace: "Use {place}?",
  takeMethod: "Usual method there: {method}, Asr {asr}",
  takeMethodHint: "Otherwise the method stays as it is.",
  takeZone: "Its time zone: {zone}",
  takeZoneHint: "The player's clock then shows the time of that place.",
  confirmPlace: "Use this place",
  otherPlace: "Another place",
  placeSet: "Prayer times are now those of {place}.",

  qibla: "Qibla",
  qiblaWords: "{degrees}° from north, towards the {wind}",
  qiblaAway: "Mecca is {km} km away.",
  winds: ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"],
  letters: ["N", "E", "S", "W"],
  night: "The night",
  imsak: "Imsak",
  imsakHint: "Ten minutes before Fajr",
  midnight: "Midnight",
  midnightHint: "Half-way from Maghrib to Fajr",
  lastThird: "Last third",
  lastThirdHint: "Begins at",
};

const arabic: PrayerPhrases = {
  today: "اليوم",
  now: "الآن",
  tomorrowIn: "غدًا، بعد {countdown}",
  adhan: "الأذان",
  adhanHint: "يُرفع تلقائيًا في الأوقات المفعّلة أدناه.",
  adhanFor: "أذان {prayer}",
  adjust: "اضبط الأوقات",
  adjustHint: "دقائق تُضاف إلى الوقت المحسوب ليوافق وقت مسجدك.",
  adjustDone: "تم",
  minutes: "{minutes} د",
  month: "جدول الشهر",
  noPlace: "لا يعرف المشغّل مكانه بعد.",
  noPlaceHint: "أوقات الصلاة تتبع الشمس، فلا بد من معرفة المكان. يُحسب كل شيء على المشغّل نفسه.",
  startGuide: "ابدأ الدليل",

  trust: "هل سيُرفع الأذان القادم؟",
  verdict: { good: "نعم، كل شيء على ما يرام.", noted: "نعم، ولكن انتبه لما يلي.", bad: "لا، ينقصه شيء." },
  verdictOff: "لا، الأذان متوقف.",
  switchOn: "فعّله",
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
  upcoming: "الأذانات القادمة",
  todayAt: "اليوم الساعة {time}",
  tomorrowAt: "غدًا الساعة {time}",
  dayAt: "{day} الساعة {time}",

  sound: "صوت الأذان",
  volume: "مستوى الصوت",
  volumeHint: "في أدنى الشريط: بصوت المشغّل كما هو في تلك اللحظة.",
  volumeKept: "كما هو",
  percent: "{percent}٪",
  file: "الأذان",
  fajrFile: "أذان الفجر",
  tone: "النغمة المدمجة",
  sameFile: "مثل بقية الصلوات",
  chooseFile: "اختر أذانًا",
  chooseFajrFile: "اختر أذانًا للفجر",
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
  after: "بعد الأذان",
  afterResume: "تابع التشغيل",
  afterPaused: "ابقَ متوقفًا",

  calculation: "طريقة الحساب",
  method: "الطريقة",
  methods: [
    "رابطة العالم الإسلامي",
    "أمريكا الشمالية (إسنا)",
    "الهيئة المصرية للمساحة",
    "أم القرى، مكة المكرمة",
    "جامعة كراتشي",
  ],
  asr: "العصر",
  asrStandard: "الجمهور",
  asrHanafi: "الحنفي (متأخر)",
  asrHint: "الجمهور: الشافعي والمالكي والحنبلي.",
  highLatitude: "حيث يقصر الليل",
  highLatitudes: {
    auto: "تلقائي",
    middle_of_the_night: "منتصف الليل",
    seventh_of_the_night: "سُبع الليل",
    twilight_angle: "نسبة زاوية الشفق",
  },
  ruleInForce: "المعمول به: {rule}.",
  whyChosen: "أنت اخترته.",
  whyNear: "اختير لأن المكان دون خط العرض ٤٨، ولا أثر له إلا في أيام قليلة إن وُجد.",
  whyFar: "اختير لأن المكان فوق خط العرض ٤٨، حيث قد يبقى الشفق طوال الليل صيفًا.",
  whyNearest: "لا تشرق الشمس أو لا تغرب هنا اليوم، فالأوقات لأقرب خط عرض تشرق فيه وتغرب.",
  hijriAdjust: "التاريخ الهجري",
  hijriAdjustHint: "التقويم محسوب. إن رُئي الهلال عندكم قبل ذلك أو بعده فصحّحه هنا.",

  place: "المكان",
  changePlace: "غيّر المكان",
  zone: "المنطقة الزمنية",
  usePlace: "هل تستخدم {place}؟",
  takeMethod: "الطريقة المعتادة هناك: {method}، العصر: {asr}",
  takeMethodHint: "وإلا بقيت الطريقة كما هي.",
  takeZone: "منطقته الزمنية: {zone}",
  takeZoneHint: "عندها تعرض ساعة المشغّل وقت ذلك المكان.",
  confirmPlace: "استخدم هذا المكان",
  otherPlace: "مكان آخر",
  placeSet: "أوقات الصلاة الآن لـ: {place}.",

  qibla: "القبلة",
  qiblaWords: "{degrees}° من الشمال، نحو {wind}",
  qiblaAway: "تبعد مكة المكرمة {km} كم.",
  winds: ["الشمال", "الشمال الشرقي", "الشرق", "الجنوب الشرقي", "الجنوب", "الجنوب الغربي", "الغرب", "الشمال الغربي"],
  letters: ["ش", "ق", "ج", "غ"],
  night: "الليل",
  imsak: "الإمساك",
  imsakHint: "قبل الفجر بعشر دقائق",
  midnight: "منتصف الليل",
  midnightHint: "بين المغرب والفجر",
  lastThird: "الثلث الأخير",
  lastThirdHint: "يبدأ عند",
};

export const prayerPhrases: Translations<PrayerPhrases> = { en: english, ar: arabic };
