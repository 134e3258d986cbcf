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
  connected: "Connected to “\u2068{ssid}\u2069” (\u2068{ip}\u2069)",
  notConnected: "Not connected",
  notConnectedHint:
    "Without a saved network, the player opens its own network, “Manara set-up”. Its screen shows how to connect.",
  other: "Connect to a network",
  ssid: "Network name",
  ssidHint: "Exactly as your phone shows it, with capital and small letters.",
  password: "Password",
  passwordHint: "Leave empty for an open network. This page does not store it.",
  show: "Show the password",
  ssidEmpty: "Enter the network name.",
  ssidLong: "This network name is too long.",
  passwordForm: "A Wi-Fi password has at least 8 characters: Latin letters, digits and symbols.",
  join: "Connect",
  whatHappens: "If the password is wrong, the player returns to its current network within 60 seconds.",
  joining: "Connecting to “\u2068{ssid}\u2069”…",
  joiningHint:
    "The player does not respond during this time. If it cannot connect, it returns to “\u2068{former}\u2069” within 60 seconds. If it connects, connect this phone to “\u2068{ssid}\u2069” too.",
  joiningFirstHint:
    "The player does not respond during this time. When it has connected, connect this phone to “\u2068{ssid}\u2069” too.",
  joined: "Connected to “\u2068{ssid}\u2069”.",
  joinedHint: "The player will connect to this network automatically.",
  returned: "Could not connect to “\u2068{ssid}\u2069”.",
  returnedHint: "The player is back on “\u2068{former}\u2069”. Check the name and the password, then try again.",
  alone: "Could not connect to “\u2068{ssid}\u2069”.",
  aloneHint: "The player opened its own network, “Manara set-up”. Check the name and the password, then try again.",
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
  joining: "جارٍ الاتصال بشبكة «\u2068{ssid}\u2069»…",
  joiningHint:
    "لا يجيب أثناء ذلك. إن لم يتمكن من الدخول عاد إلى «\u2068{former}\u2069» خلال ٦٠ ثانية. وإن دخل فصِل هذا الهاتف بشبكة «\u2068{ssid}\u2069» أيضًا.",
  joiningFirstHint: "لا يجيب أثناء ذلك. وإن دخل فصِل هذا الهاتف بشبكة «\u2068{ssid}\u2069» أيضًا.",
  joined: "المشغّل متصل بشبكة «\u2068{ssid}\u2069».",
  joinedHint: "سيتصل بها من تلقاء نفسه من الآن فصاعدًا.",
  returned: "تعذّر الاتصال بشبكة «\u2068{ssid}\u2069».",
  returnedHint: "عاد إلى «\u2068{former}\u2069». تحقق من الاسم وكلمة المرور ثم أعد المحاولة.",
  alone: "تعذّر الاتصال بشبكة «\u2068{ssid}\u2069».",
  aloneHint: "فتح شبكته الخاصة «Manara set-up». تحقق من الاسم وكلمة المرور ثم أعد المحاولة.",
};

export const wifiPhrases: Translations<WifiPhrases> = { en: english, ar: arabic };
