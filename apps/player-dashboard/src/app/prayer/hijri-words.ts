import type { PrayerBody } from "@player/service/contract/prayer";
import { commonPhrases } from "../language/common-phrases.ts";
import type { Language } from "../language/language.ts";
import { formatDigits } from "../language/times.ts";
import { fill } from "../language/translations.ts";

export function hijriWords({ day, month_name, month_name_ar, year }: PrayerBody["hijri"], language: Language): string {
  return fill(commonPhrases[language].hijri, {
    day: formatDigits(String(day), language),
    month: language === "ar" ? month_name_ar : month_name,
    year: formatDigits(String(year), language),
  });
}
