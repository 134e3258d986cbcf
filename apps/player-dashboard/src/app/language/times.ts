import type { Language } from "./language.ts";
import { numberWords } from "./numbers.ts";

/** Writes digits in the script of the language. */
export function formatDigits(text: string, language: Language): string {
  return language === "ar" ? text.replace(/\d/g, (digit) => numberWords(Number(digit), "ar")) : text;
}

const HALVES: Readonly<Record<Language, readonly [string, string]>> = { en: ["AM", "PM"], ar: ["ص", "م"] };

/** `17:42` as the device's owner reads it: 17:42, or 5:42 PM. */
export function wallTimeWords(time: string, is24h: boolean, language: Language): string {
  if (is24h) return formatDigits(time, language);
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const half = HALVES[language][hour < 12 ? 0 : 1];
  return formatDigits(`${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${half}`, language);
}

/** `1:02:03` or `4:05`: the position in a recitation, or the time until a prayer. */
export function durationWords(seconds: number, language: Language): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return formatDigits(
    hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`,
    language,
  );
}
