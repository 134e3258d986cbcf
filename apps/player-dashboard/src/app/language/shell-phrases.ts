import type { Translations } from "./translations.ts";

interface ShellPhrases {
  now: string;
  library: string;
  hifz: string;
  prayer: string;
  more: string;
  radio: string;
  favorites: string;
  schedules: string;
  cards: string;
  settings: string;
  simple: string;
  navigation: string;
  skip: string;
  /** `{prayer}` and `{time}`. */
  nextPrayer: string;
  /** `{countdown}`: hours, minutes and seconds. */
  inCountdown: string;
  noPlace: string;
  prayers: readonly [string, string, string, string, string, string];
  /** `{day}`, `{month}` and `{year}`. */
  hijri: string;
  away: string;
  awayHint: string;
  tryNow: string;
  dismiss: string;
  noAnswer: string;
  /** `{seconds}`. */
  tooMany: string;
  /** `{error}`: what the device said. */
  refused: string;
  unlock: string;
  unlocked: string;
  play: string;
  pause: string;
  notFound: string;
  notFoundHint: string;
  toNow: string;
}

const english: ShellPhrases = {
  now: "Now",
  library: "Library",
  hifz: "Hifz",
  prayer: "Prayer",
  more: "More",
  radio: "Radio",
  favorites: "Favorites",
  schedules: "Schedules",
  cards: "Cards",
  settings: "Settings",
  simple: "Simple view",
  navigation: "Pages",
  skip: "Skip to the page",
  nextPrayer: "{prayer} {time}",
  inCountdown: "in {countdown}",
  noPlace: "Set your place for prayer times",
  prayers: ["Fajr", "Sunrise", "Dhuhr", "Asr", "Maghrib", "Isha"],
  hijri: "{day} {month} {year}",
  away: "The player is not answering.",
  awayHint: "This page tries again by itself. What you see is what it said last.",
  tryNow: "Try now",
  dismiss: "Dismiss",
  noAnswer: "The player did not answer. Nothing was changed.",
  tooMany: "That was too much at once. Try again in {seconds} s.",
  refused: "The player refused: {error}",
  unlock: "Unlock",
  unlocked: "Unlocked",
  play: "Play",
  pause: "Pause",
  notFound: "There is no such page.",
  notFoundHint: "The address may be mistyped.",
  toNow: "To the first page",
};

const arabic: ShellPhrases = {
  now: "الآن",
  library: "المكتبة",
  hifz: "الحفظ",
  prayer: "الصلاة",
  more: "المزيد",
  radio: "الإذاعة",
  favorites: "المفضلة",
  schedules: "المواعيد",
  cards: "البطاقات",
  settings: "الإعدادات",
  simple: "العرض المبسّط",
  navigation: "الصفحات",
  skip: "إلى محتوى الصفحة",
  nextPrayer: "{prayer} {time}",
  inCountdown: "بعد {countdown}",
  noPlace: "حدّد مكانك لتظهر أوقات الصلاة",
  prayers: ["الفجر", "الشروق", "الظهر", "العصر", "المغرب", "العشاء"],
  hijri: "{day} {month} {year} هـ",
  away: "المشغّل لا يجيب.",
  awayHint: "تعيد هذه الصفحة المحاولة تلقائيًا، وما تراه آخر ما قاله المشغّل.",
  tryNow: "حاول الآن",
  dismiss: "إخفاء",
  noAnswer: "لم يجب المشغّل، ولم يتغيّر شيء.",
  tooMany: "طلبات كثيرة دفعة واحدة. حاول بعد {seconds} ث.",
  refused: "رفض المشغّل: {error}",
  unlock: "افتح القفل",
  unlocked: "مفتوح",
  play: "تشغيل",
  pause: "إيقاف مؤقت",
  notFound: "لا توجد صفحة كهذه.",
  notFoundHint: "قد يكون في العنوان خطأ.",
  toNow: "إلى الصفحة الأولى",
};

export const shellPhrases: Translations<ShellPhrases> = { en: english, ar: arabic };
