import type { WifiNetworksBody } from "@player/service/contract/settings";
import type { Translations } from "../language/translations.ts";
import type { Strength } from "./wifi-join.ts";

interface WifiPhrases {
  title: string;
  now: string;
  /** `{ssid}` and `{ip}`. */
  connected: string;
  notConnected: string;
  notConnectedHint: string;
  other: string;
  inReach: string;
  search: string;
  searchAgain: string;
  searching: string;
  searchFailed: string;
  noneInReach: string;
  securities: Readonly<Record<WifiNetworksBody["networks"][number]["security"], string>>;
  strengths: Readonly<Record<Strength, string>>;
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
  unknown: string;
  unknownHint: string;
  continueThere: string;
}

const english: WifiPhrases = {
  title: "Wi-Fi",
  now: "Now",
  connected: "Connected to “\u2068{ssid}\u2069” (\u2068{ip}\u2069)",
  notConnected: "Not connected",
  notConnectedHint:
    "After ten minutes without its network, the player opens its own, “Manara set-up”. Its screen shows how to connect.",
  other: "Connect to a network",
  inReach: "Networks in range",
  search: "Show networks in range",
  searchAgain: "Search again",
  searching: "Searching for networks…",
  searchFailed: "The player could not search for networks. Enter the name below.",
  noneInReach: "The player finds no network here. Move it closer to your router, or enter the name below.",
  securities: {
    open: "Open",
    wpa: "Password",
    wpa3: "Password (WPA3)",
    enterprise: "Needs a user name: not supported",
    wep: "Outdated security (WEP): not supported",
  },
  strengths: { strong: "strong signal", medium: "medium signal", weak: "weak signal" },
  ssid: "Network name",
  ssidHint: "Choose it above. For a hidden network, type the name exactly, with capital and small letters.",
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
  unknown: "The player has probably joined “\u2068{ssid}\u2069”.",
  unknownHint:
    "Connect this phone to “\u2068{ssid}\u2069”, then continue. If the player appears as “Manara set-up” again, the password was wrong.",
  continueThere: "Continue on the new network",
};

const arabic: WifiPhrases = {
  title: "الواي فاي",
  now: "الآن",
  connected: "متصل بشبكة «\u2068{ssid}\u2069»، العنوان \u2068{ip}\u2069",
  notConnected: "غير متصل بأي شبكة",
  notConnectedHint:
    "إذا غابت شبكة المشغّل عشر دقائق فتح شبكة خاصة به اسمها «Manara set-up»، وتعرض شاشته كيف تصل إليه فيها.",
  other: "الاتصال بشبكة",
  inReach: "الشبكات القريبة",
  search: "عرض الشبكات القريبة",
  searchAgain: "ابحث مرة أخرى",
  searching: "جارٍ البحث عن الشبكات…",
  searchFailed: "تعذّر على المشغّل البحث عن الشبكات. اكتب اسم الشبكة أدناه.",
  noneInReach: "لا يجد المشغّل أي شبكة هنا. قرّبه من جهاز التوجيه، أو اكتب اسم الشبكة أدناه.",
  securities: {
    open: "مفتوحة",
    wpa: "بكلمة مرور",
    wpa3: "بكلمة مرور (WPA3)",
    enterprise: "تتطلب اسم مستخدم: غير مدعومة",
    wep: "حماية قديمة (WEP): غير مدعومة",
  },
  strengths: { strong: "إشارة قوية", medium: "إشارة متوسطة", weak: "إشارة ضعيفة" },
  ssid: "اسم الشبكة",
  ssidHint: "اختره من القائمة أعلاه. وإن كانت الشبكة مخفية فاكتب اسمها بدقة، مع مراعاة الأحرف الكبيرة والصغيرة.",
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
  unknown: "الأرجح أن المشغّل انتقل إلى شبكة «\u2068{ssid}\u2069».",
  unknownHint:
    "صِل هذا الهاتف بشبكة «\u2068{ssid}\u2069» ثم تابع. وإن ظهرت شبكة «Manara set-up» من جديد فكلمة المرور خاطئة.",
  continueThere: "تابع في الشبكة الجديدة",
};

export const wifiPhrases: Translations<WifiPhrases> = { en: english, ar: arabic };
