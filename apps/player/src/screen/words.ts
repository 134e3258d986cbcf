export type Language = "en" | "ar";

interface Words {
  weekdays: readonly string[];
  months: readonly string[];
  /** Fajr, Sunrise, Dhuhr, Asr, Maghrib, Isha. */
  prayers: readonly string[];
  am: string;
  pm: string;
  hour: string;
  minute: string;
  second: string;
  in: (time: string) => string;
  surah: (number: string, name: string) => string;
  playing: string;
  paused: string;
  live: string;
  radio: string;
  hifz: string;
  of: (target: string) => string;
  yourTurn: string;
  buffering: string;
  connecting: string;
  nextTry: (time: string) => string;
  clockNotSet: string;
  noLocation: string;
  timeToPray: string;
  test: string;
  adhan: string;
  card: string;
  unknownCard: string;
  registerCard: string;
  certificate: string;
  compare: string;
  updating: Readonly<Record<string, string>>;
  update: string;
  keepPower: string;
  joinWifi: string;
  thenOpen: string;
  scan: string;
  orCode: string;
  code: (digits: string) => string;
  eraseSoon: string;
  keepHolding: string;
  eraseNow: string;
  letGo: string;
  left: (time: string) => string;
  failures: string;
  more: (count: string) => string;
}

/** The common names of the prayers, in the order of the API document. */
export const PRAYERS_AR: readonly string[] = ["الفجر", "الشروق", "الظهر", "العصر", "المغرب", "العشاء"];
export const ADHAN_AR = "الأذان";

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    weekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
    months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    prayers: ["Fajr", "Sunrise", "Dhuhr", "Asr", "Maghrib", "Isha"],
    am: "AM",
    pm: "PM",
    hour: "h",
    minute: "min",
    second: "s",
    in: (time) => `in ${time}`,
    surah: (number, name) => `${number} · ${name}`,
    playing: "Playing",
    paused: "Paused",
    live: "Live",
    radio: "Radio",
    hifz: "Hifz",
    of: (target) => `of ${target}`,
    yourTurn: "Your turn",
    buffering: "Buffering",
    connecting: "Waiting for the station",
    nextTry: (time) => `Next try in ${time}`,
    clockNotSet: "The clock is not set",
    noLocation: "Prayer times need a location",
    timeToPray: "Time to pray",
    test: "Test",
    adhan: "Adhan",
    card: "Card",
    unknownCard: "Unknown card",
    registerCard: "Register it on the dashboard",
    certificate: "Certificate",
    compare: "Trust it only if your phone shows these characters",
    updating: {
      downloading: "Downloading",
      receiving: "Receiving",
      verifying: "Checking",
      installing: "Installing",
      rebooting: "Restarting",
      confirming: "Making sure it works",
    },
    update: "Update",
    keepPower: "Keep the power on",
    joinWifi: "1. Join Wi-Fi",
    thenOpen: "2. Then open",
    scan: "Scan with your phone",
    orCode: "or type",
    code: (digits) => `Code ${digits}`,
    eraseSoon: "Erase everything?",
    keepHolding: "Let go to keep everything",
    eraseNow: "Let go now to erase everything",
    letGo: "Hold on to keep everything",
    left: (time) => `${time} left`,
    failures: "Some parts did not start",
    more: (count) => `and ${count} more`,
  },
  ar: {
    weekdays: ["الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"],
    months: [
      "يناير",
      "فبراير",
      "مارس",
      "أبريل",
      "مايو",
      "يونيو",
      "يوليو",
      "أغسطس",
      "سبتمبر",
      "أكتوبر",
      "نوفمبر",
      "ديسمبر",
    ],
    prayers: PRAYERS_AR,
    am: "ص",
    pm: "م",
    hour: "س",
    minute: "د",
    second: "ث",
    in: (time) => `بعد ${time}`,
    surah: (number) => `السورة ${number}`,
    playing: "تلاوة",
    paused: "متوقف مؤقتًا",
    live: "بث مباشر",
    radio: "إذاعة",
    hifz: "حفظ",
    of: (target) => `من ${target}`,
    yourTurn: "دورك الآن",
    buffering: "جارٍ التحميل",
    connecting: "في انتظار الإذاعة",
    nextTry: (time) => `المحاولة التالية بعد ${time}`,
    clockNotSet: "الساعة غير مضبوطة",
    noLocation: "حدّد موقعك لمعرفة أوقات الصلاة",
    timeToPray: "حان وقت الصلاة",
    test: "تجربة",
    adhan: ADHAN_AR,
    card: "بطاقة",
    unknownCard: "بطاقة غير معروفة",
    registerCard: "سجّلها من لوحة التحكم",
    certificate: "الشهادة",
    compare: "لا تثق بها إلا إذا عرض هاتفك هذه الأحرف والأرقام",
    updating: {
      downloading: "جارٍ التنزيل",
      receiving: "جارٍ الاستلام",
      verifying: "جارٍ التحقق",
      installing: "جارٍ التثبيت",
      rebooting: "جارٍ إعادة التشغيل",
      confirming: "جارٍ التأكد من سلامته",
    },
    update: "تحديث",
    keepPower: "لا تفصل الكهرباء",
    joinWifi: "١. اتصل بالشبكة",
    thenOpen: "٢. ثم افتح",
    scan: "امسح الرمز بهاتفك",
    orCode: "أو اكتب",
    // Two groups of Arabic digits in one line would be ordered from right to left.
    code: (digits) => `الرمز ${digits.replace(" ", "")}`,
    eraseSoon: "محو كل شيء؟",
    keepHolding: "ارفع إصبعك ليبقى كل شيء",
    eraseNow: "ارفع إصبعك الآن لمحو كل شيء",
    letGo: "واصل الضغط ليبقى كل شيء",
    left: (time) => `بقي ${time}`,
    failures: "لم تعمل بعض الأجزاء",
    more: (count) => `و${count} أخرى`,
  },
};
