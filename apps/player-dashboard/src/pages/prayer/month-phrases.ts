import type { Translations } from "../../app/language/translations.ts";

interface MonthPhrases {
  monthTitle: string;
  back: string;
  print: string;
  formerMonth: string;
  nextMonth: string;
  thisMonth: string;
  date: string;
  hijriDate: string;
  hijriMonths: readonly string[];
  /** `{from}` and `{to}`. */
  span: string;
  /** `{month}` and `{year}`. */
  hijriMonth: string;
  /** `{method}` and `{asr}`. */
  basis: string;
  tableHint: string;
}

const english: MonthPhrases = {
  monthTitle: "Prayer times",
  back: "Back to today",
  print: "Print",
  formerMonth: "Previous month",
  nextMonth: "Next month",
  thisMonth: "This month",
  date: "Date",
  hijriDate: "Hijri",
  hijriMonths: [
    "Muharram",
    "Safar",
    "Rabi al-Awwal",
    "Rabi al-Akhir",
    "Jumada al-Ula",
    "Jumada al-Akhirah",
    "Rajab",
    "Shaban",
    "Ramadan",
    "Shawwal",
    "Dhu al-Qadah",
    "Dhu al-Hijjah",
  ],
  span: "{from} to {to}",
  hijriMonth: "{month} {year}",
  basis: "Method: {method}. Asr: {asr}.",
  tableHint: "Monthly table; scroll sideways on a narrow screen",
};

const arabic: MonthPhrases = {
  monthTitle: "أوقات الصلاة",
  back: "العودة إلى أوقات اليوم",
  print: "اطبع",
  formerMonth: "الشهر السابق",
  nextMonth: "الشهر التالي",
  thisMonth: "هذا الشهر",
  date: "التاريخ",
  hijriDate: "هجري",
  hijriMonths: [
    "محرم",
    "صفر",
    "ربيع الأول",
    "ربيع الآخر",
    "جمادى الأولى",
    "جمادى الآخرة",
    "رجب",
    "شعبان",
    "رمضان",
    "شوال",
    "ذو القعدة",
    "ذو الحجة",
  ],
  span: "من {from} إلى {to}",
  hijriMonth: "{month} {year} هـ",
  basis: "الطريقة: {method}. العصر: {asr}.",
  tableHint: "جدول الشهر، ويمكن تحريكه أفقيًا على الشاشات الضيقة",
};

export const monthPhrases: Translations<MonthPhrases> = { en: english, ar: arabic };
