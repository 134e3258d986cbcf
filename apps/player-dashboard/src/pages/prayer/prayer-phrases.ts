import type { HighLatitudeRule } from "@player/service/contract/prayer";
import type { Translations } from "../../app/language/translations.ts";
import type { Mark } from "../../app/prayer/trust.ts";

interface PrayerPhrases {
  today: string;
  now: string;
  /** `{time}` and `{countdown}`. */
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
  verdictTone: string;
  verdictOff: string;
  switchOn: string;
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
  fajrFile: string;
  sameFile: string;
  addAdhan: string;
  chooseFajrFile: string;
  after: string;
  afterResume: string;
  afterPaused: string;
  calculation: string;
  method: string;
  asr: string;
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
  qiblaDistance: string;
  /** From north, clockwise, all sixteen. */
  winds: readonly string[];
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
  tomorrowIn: "Tomorrow {time}, in {countdown}",
  adhan: "Call to prayer (adhan)",
  adhanHint: "Plays automatically at the prayer times switched on below.",
  adhanFor: "Adhan for {prayer}",
  adjust: "Adjust times",
  adjustHint: "Adds minutes to the calculated times, to match your mosque.",
  adjustDone: "Done",
  minutes: "{minutes} min",
  month: "Month table",
  noPlace: "The location is not set.",
  noPlaceHint: "Prayer times depend on your location. They are calculated on the player itself.",
  startGuide: "Start set-up",
  trust: "Will the next adhan play?",
  verdict: { good: "Yes, everything is in order.", noted: "Yes, but check this.", bad: "No. Something is missing." },
  verdictTone: "No, only a short tone. Choose a recording.",
  verdictOff: "No, the adhan is switched off.",
  switchOn: "Switch it on",
  upcoming: "Next adhans",
  todayAt: "Today at {time}",
  tomorrowAt: "Tomorrow at {time}",
  dayAt: "{day} at {time}",
  sound: "Adhan sound",
  volume: "Volume",
  volumeHint: "Leave at zero to use the current volume.",
  volumeKept: "Current volume",
  percent: "{percent} %",
  fajrFile: "Adhan for Fajr",
  sameFile: "Same as the others",
  addAdhan: "Add an adhan from this device",
  chooseFajrFile: "Choose an adhan for Fajr",
  after: "After the adhan",
  afterResume: "Resume playback",
  afterPaused: "Stay paused",
  calculation: "Calculation",
  method: "Method",
  asr: "Asr",
  asrHint: "Standard is Shafi'i, Maliki and Hanbali.",
  highLatitude: "High-latitude rule",
  highLatitudes: {
    auto: "Automatic",
    middle_of_the_night: "Middle of the night",
    seventh_of_the_night: "Seventh of the night",
    twilight_angle: "Twilight angle",
  },
  ruleInForce: "In use: {rule}.",
  whyChosen: "You selected it.",
  whyNear: "Selected because this location is below 48° latitude. It rarely makes a difference here.",
  whyFar: "Selected because this location is above 48° latitude, where twilight can last all night in summer.",
  whyNearest: "The sun does not rise or set here today. The times are for the nearest latitude where it does.",
  hijriAdjust: "Hijri date",
  hijriAdjustHint: "The calendar is calculated. If your moon sighting differs, adjust it here.",
  place: "Location",
  changePlace: "Change location",
  zone: "Time zone",
  usePlace: "Use {place}?",
  takeMethodHint: "If off, the method does not change.",
  takeZone: "Time zone: {zone}",
  takeZoneHint: "The player's clock will show the local time there.",
  confirmPlace: "Use this location",
  otherPlace: "Choose another",
  placeSet: "Prayer times are now for {place}.",
  qibla: "Qibla",
  qiblaWords: "{degrees}° ({wind})",
  qiblaDistance: "Distance to Mecca: {km} km",
  winds: [
    "north",
    "north-north-east",
    "north-east",
    "east-north-east",
    "east",
    "east-south-east",
    "south-east",
    "south-south-east",
    "south",
    "south-south-west",
    "south-west",
    "west-south-west",
    "west",
    "west-north-west",
    "north-west",
    "north-north-west",
  ],
  letters: ["N", "E", "S", "W"],
  night: "Night",
  imsak: "Imsak",
  imsakHint: "Ten minutes before Fajr",
  midnight: "Midnight",
  midnightHint: "Halfway between Maghrib and Fajr",
  lastThird: "Last third",
  lastThirdHint: "Starts at",
};

const arabic: PrayerPhrases = {
  today: "اليوم",
  now: "الآن",
  tomorrowIn: "غدًا {time}، بعد {countdown}",
  adhan: "الأذان",
  adhanHint: "يُرفع تلقائيًا في الأوقات المفعّلة أدناه.",
  adhanFor: "أذان {prayer}",
  adjust: "اضبط الأوقات",
  adjustHint: "دقائق تُضاف إلى الوقت المحسوب ليوافق مسجدك.",
  adjustDone: "تم",
  minutes: "{minutes} د",
  month: "جدول الشهر",
  noPlace: "لم يُحدَّد الموقع.",
  noPlaceHint: "أوقات الصلاة تتبع الشمس، فلا بد من معرفة المكان. يُحسب كل شيء على المشغّل نفسه.",
  startGuide: "ابدأ الإعداد",
  trust: "هل سيُرفع الأذان القادم؟",
  verdict: { good: "نعم، كل شيء على ما يرام.", noted: "نعم، ولكن انتبه لما يلي.", bad: "لا، ينقصه شيء." },
  verdictTone: "لا، بل نغمة قصيرة فقط. اختر تسجيلًا للأذان.",
  verdictOff: "لا، الأذان متوقف.",
  switchOn: "فعّله",
  upcoming: "الأذانات القادمة",
  todayAt: "اليوم الساعة {time}",
  tomorrowAt: "غدًا الساعة {time}",
  dayAt: "{day} الساعة {time}",
  sound: "صوت الأذان",
  volume: "مستوى الصوت",
  volumeHint: "اتركه عند الصفر لاستخدام مستوى الصوت الحالي.",
  volumeKept: "المستوى الحالي",
  percent: "{percent}٪",
  fajrFile: "أذان الفجر",
  sameFile: "مثل بقية الصلوات",
  addAdhan: "أضف أذانًا من هذا الجهاز",
  chooseFajrFile: "اختر أذانًا للفجر",
  after: "بعد الأذان",
  afterResume: "تابع التشغيل",
  afterPaused: "ابقَ متوقفًا",
  calculation: "طريقة الحساب",
  method: "الطريقة",
  asr: "العصر",
  asrHint: "الجمهور: الشافعي والمالكي والحنبلي.",
  highLatitude: "قاعدة خطوط العرض العليا",
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
  takeMethodHint: "وإلا بقيت الطريقة كما هي.",
  takeZone: "منطقته الزمنية: {zone}",
  takeZoneHint: "عندها تعرض ساعة المشغّل وقت ذلك المكان.",
  confirmPlace: "استخدم هذا المكان",
  otherPlace: "مكان آخر",
  placeSet: "أوقات الصلاة الآن لـ: {place}.",
  qibla: "القبلة",
  qiblaWords: "{degrees}° ({wind})",
  qiblaDistance: "تبعد مكة المكرمة {km} كم.",
  winds: [
    "الشمال",
    "شمال الشمال الشرقي",
    "الشمال الشرقي",
    "شرق الشمال الشرقي",
    "الشرق",
    "شرق الجنوب الشرقي",
    "الجنوب الشرقي",
    "جنوب الجنوب الشرقي",
    "الجنوب",
    "جنوب الجنوب الغربي",
    "الجنوب الغربي",
    "غرب الجنوب الغربي",
    "الغرب",
    "غرب الشمال الغربي",
    "الشمال الغربي",
    "شمال الشمال الغربي",
  ],
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
