import type { Phrases, Translations } from "./translations.ts";

const english = {
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
  /** `{countdown}`: hours, minutes and seconds. */
  inCountdown: "in {countdown}",
  prayers: ["Fajr", "Sunrise", "Dhuhr", "Asr", "Maghrib", "Isha"],
  hijri: "{day} {month} {year}",
  play: "Play",
  pause: "Pause",
};

const arabic: Phrases<typeof english> = {
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

export const commonPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
