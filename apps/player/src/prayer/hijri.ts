interface HijriDate {
  year: number;
  /** 1..12 */
  month: number;
  day: number;
}

export const RAMADAN = 9;

/** 1 Muharram of the year 1 in the civil reckoning (16 July 622, Julian), as days since 1970. */
const EPOCH_DAYS = -492_148;

/**
 * The tabular calendar by days since 1970: 11 leap years in 30, alternating long and short months. A sighted month may
 * begin a day earlier or later. (Reingold and Dershowitz, Calendrical Calculations, chapter "The Islamic Calendar".)
 */
export function toHijri(days: number): HijriDate {
  const year = Math.floor((30 * (days - EPOCH_DAYS) + 10_646) / 10_631);
  const month = Math.floor((11 * (days - firstDayOf(year, 1)) + 330) / 325);
  return { year, month, day: days - firstDayOf(year, month) + 1 };
}

function firstDayOf(year: number, month: number): number {
  const daysOfYears = (year - 1) * 354 + Math.floor((3 + 11 * year) / 30);
  return EPOCH_DAYS + daysOfYears + 29 * (month - 1) + Math.floor(month / 2);
}

export function monthNamesOf({ month }: HijriDate): { month_name: string; month_name_ar: string } {
  return { month_name: MONTHS[month - 1] ?? "", month_name_ar: MONTHS_AR[month - 1] ?? "" };
}

const MONTHS = [
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
];

const MONTHS_AR = [
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
];
