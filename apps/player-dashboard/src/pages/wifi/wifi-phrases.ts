import type { Translations } from "../../app/language/translations.ts";

interface WifiPhrases {
  title: string;
  now: string;
  /** `{ssid}` and `{ip}`. */
  connected: string;
  notConnected: string;
  notConnectedHint: string;
  other: string;
  ssid: string;
  ssidHint: string;
  password: string;
  passwordHint: string;
  show: string;
  ssidEmpty: string;
  ssidLong: string;
  passwordForm: string;
  join: string;
  whatHappens: string;
  /** `{ssid}` below: the network that was asked for. `{former}`: the one before. */
  joining: string;
  joiningHint: string;
  joiningFirstHint: string;
  joined: string;
  joinedHint: string;
  returned: string;
  returnedHint: string;
  alone: string;
  aloneHint: string;
}

const english: WifiPhrases = {
  title: "Wi-Fi",
  now: "Now",
  connected: "In “\u2068{ssid}\u2069”, address \u2068{ip}\u2069",
  notConnected: "In no network",
  notConnectedHint:
    "When the player knows no network, it opens one of its own, “Manara set-up”. Its screen says how to reach it there.",
  other: "Join a network",
  ssid: "Name of the network",
  ssidHint: "As your phone shows it, with large and small letters.",
  password: "Password",
  passwordHint: "Leave it empty for an open network. It goes to the player and is not kept in this page.",
  show: "Show the password",
  ssidEmpty: "Enter the name of the network.",
  ssidLong: "The name of a network is shorter than this.",
  passwordForm: "A Wi-Fi password has at least 8 characters: Latin letters, digits and signs.",
  join: "Join",
  whatHappens:
    "If the password is wrong, nothing is lost: the player returns to the network it is in now, after 60 seconds at most.",
  joining: "The player is going over to “\u2068{ssid}\u2069”…",
  joiningHint:
    "It does not answer meanwhile. If it does not get in, it is back in “\u2068{former}\u2069” within 60 seconds. If it gets in, put this phone into “\u2068{ssid}\u2069” as well.",
  joiningFirstHint: "It does not answer meanwhile. If it gets in, put this phone into “\u2068{ssid}\u2069” as well.",
  joined: "The player is in “\u2068{ssid}\u2069”.",
  joinedHint: "It will join this network by itself from now on.",
  returned: "The player did not get into “\u2068{ssid}\u2069”.",
  returnedHint: "It returned to “\u2068{former}\u2069”. Check the name and the password, and try again.",
  alone: "The player did not get into “\u2068{ssid}\u2069”.",
  aloneHint: "It opened its own network, “Manara set-up”. Check the name and the password, and try again.",
};

const arabic: WifiPhrases = {
  title: "الواي فاي",
  now: "الآن",
  connected: "متصل بشبكة «\u2068{ssid}\u2069»، العنوان \u2068{ip}\u2069",
  notConnected: "غير متصل بأي شبكة",
  notConnectedHint: "إذا لم يعرف المشغّل أي شبكة فتح شبكة خاصة به اسمها «Manara set-up»، وتقول شاشته كيف تصل إليه فيها.",
  other: "الاتصال بشبكة",
  ssid: "اسم الشبكة",
  ssidHint: "كما يظهر في هاتفك، مع مراعاة الأحرف الكبيرة والصغيرة.",
  password: "كلمة المرور",
  passwordHint: "اتركها فارغة للشبكة المفتوحة. تُرسل إلى المشغّل ولا تُحفظ في هذه الصفحة.",
  show: "إظهار كلمة المرور",
  ssidEmpty: "أدخل اسم الشبكة.",
  ssidLong: "اسم الشبكة لا يكون بهذا الطول.",
  passwordForm: "كلمة مرور الواي فاي ٨ خانات على الأقل: حروف لاتينية وأرقام وعلامات.",
  join: "اتصل",
  whatHappens: "إن كانت كلمة المرور خاطئة فلا تخسر شيئًا: يعود المشغّل إلى شبكته الحالية خلال ٦٠ ثانية على الأكثر.",
  joining: "ينتقل المشغّل إلى «\u2068{ssid}\u2069»…",
  joiningHint:
    "لا يجيب أثناء ذلك. إن لم يتمكن من الدخول عاد إلى «\u2068{former}\u2069» خلال ٦٠ ثانية. وإن دخل فصِل هذا الهاتف بشبكة «\u2068{ssid}\u2069» أيضًا.",
  joiningFirstHint: "لا يجيب أثناء ذلك. وإن دخل فصِل هذا الهاتف بشبكة «\u2068{ssid}\u2069» أيضًا.",
  joined: "المشغّل متصل بشبكة «\u2068{ssid}\u2069».",
  joinedHint: "سيتصل بها من تلقاء نفسه من الآن فصاعدًا.",
  returned: "لم يتمكن المشغّل من دخول «\u2068{ssid}\u2069».",
  returnedHint: "عاد إلى «\u2068{former}\u2069». تحقق من الاسم وكلمة المرور ثم أعد المحاولة.",
  alone: "لم يتمكن المشغّل من دخول «\u2068{ssid}\u2069».",
  aloneHint: "فتح شبكته الخاصة «Manara set-up». تحقق من الاسم وكلمة المرور ثم أعد المحاولة.",
};

export const wifiPhrases: Translations<WifiPhrases> = { en: english, ar: arabic };
