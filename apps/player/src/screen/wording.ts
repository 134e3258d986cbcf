import { type Language, WORDS } from "./words.ts";

/** The parts of a wall clock that a screen shows. */
export interface WallTime {
  month: number;
  day: number;
  hour: number;
  minute: number;
  /** 0 is Sunday. */
  weekday: number;
}

export interface ClockText {
  time: string;
  /** AM or PM; "" by the 24-hour clock. */
  suffix: string;
}

const ARABIC_ZERO = 0x0660;

/** Arabic texts have Arabic digits. */
export function formatNumber(language: Language, value: number | string): string {
  if (language === "en") return String(value);
  return String(value).replace(/\d/g, (digit) => String.fromCharCode(ARABIC_ZERO + Number(digit)));
}

export function formatClockText(language: Language, { hour, minute }: WallTime, is24h: boolean): ClockText {
  const { am, pm } = WORDS[language];
  const minutes = String(minute).padStart(2, "0");
  if (is24h) return { time: formatNumber(language, `${String(hour).padStart(2, "0")}:${minutes}`), suffix: "" };
  return { time: formatNumber(language, `${hour % 12 || 12}:${minutes}`), suffix: hour < 12 ? am : pm };
}

export function formatDate(language: Language, { weekday, day, month }: WallTime): string {
  const { weekdays, months } = WORDS[language];
  return `${weekdays[weekday] ?? ""} ${formatNumber(language, day)} ${months[month - 1] ?? ""}`;
}

/** How long something has played: 3:07, or 1:02:03. */
export function formatDuration(language: Language, ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  const text = hours > 0 ? `${hours}:${parts.join(":")}` : parts.join(":").replace(/^0/, "");
  return formatNumber(language, text);
}

/** How long to wait, in whole minutes, and in seconds when less than one is left. */
export function formatWait(language: Language, seconds: number): string {
  const { hour, minute, second } = WORDS[language];
  const say = (value: number, unit: string) => `${formatNumber(language, value)} ${unit}`;
  if (seconds < 60) return say(Math.max(0, Math.ceil(seconds)), second);
  // Rounded up, so that the clock plus the wait equals the time that is shown beside it.
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return say(rest, minute);
  return rest === 0 ? say(hours, hour) : `${say(hours, hour)} ${say(rest, minute)}`;
}
