import type { Translations } from "./translations.ts";

interface CommonPhrases {
  now: string;
  library: string;
  hifz: string;
  prayer: string;
  more: string;
  radio: string;
  favorites: string;
  schedules: string;
  cards: string;
  uploads: string;
  settings: string;
  simple: string;
  /** `{countdown}`: hours, minutes and seconds. */
  inCountdown: string;
  prayers: readonly [string, string, string, string, string, string];
  /** `{day}`, `{month}` and `{year}`. */
  hijri: string;
  play: string;
  pause: string;
}

const english: CommonPhrases = {
  now: "Now",
  library: "Library",
  hifz: "Hifz",
  prayer: "Prayer",
  more: "More",
  radio: "Radio",
  favorites: "Favorites",
  schedules: "Schedules",
  cards: "Cards",
  uploads: "Add recitations",
  settings: "Settings",
  simple: "Simple view",
  inCountdown: "in {countdown}",
  prayers: ["Fajr", "Sunrise", "Dhuhr", "Asr", "Maghrib", "Isha"],
  hijri: "{day} {month} {year}",
  play: "Play",
  pause: "Pause",
};

const arabic: CommonPhrases = {
  now: "الآن",
  library: "المكتبة",
  hifz: "الحفظ",
  prayer: "الصلاة",
  more: "المزيد",
  radio: "الإذاعة",
  favorites: "المفضلة",
  schedules: "المواعيد",
  cards: "البطاقات",
  uploads: "إضافة تلاوات",
  settings: "الإعدادات",
  simple: "العرض المبسّط",
  inCountdown: "بعد {countdown}",
  prayers: ["الفجر", "الشروق", "الظهر", "العصر", "المغرب", "العشاء"],
  hijri: "{day} {month} {year} هـ",
  play: "تشغيل",
  pause: "إيقاف مؤقت",
};

export const commonPhrases: Translations<CommonPhrases> = { en: english, ar: arabic };
