import { SURAH_NAMES } from "./surah-names.ts";

/** What the name of a file says about it. */
export type FileName =
  | { kind: "surah"; surah: number }
  /** Looks like a recitation that cannot be placed; somebody should be told why. */
  | { kind: "strange"; problem: string }
  /** Hidden, or no audio. */
  | { kind: "other" };

const AUDIO = /\.(?:mp3|flac|ogg|opus|m4a|wav)$/i;
const LEADING_DIGITS = /^(?:surah[ _-]?)?(\d+)/i;
const VERSE_DIGITS = 6;

export function readFileName(name: string): FileName {
  if (isHidden(name)) return { kind: "other" };
  const unreadable = findNameProblem(name);
  if (unreadable) return { kind: "strange", problem: unreadable };
  if (!AUDIO.test(name)) return { kind: "other" };
  const digits = LEADING_DIGITS.exec(name)?.[1];
  if (digits === undefined) return { kind: "strange", problem: "the name does not begin with a surah's number" };
  if (digits.length === VERSE_DIGITS) return { kind: "strange", problem: "six digits are a verse, not a whole surah" };
  const surah = Number(digits);
  const isSurah = digits.length <= 3 && surah >= 1 && surah <= SURAH_NAMES.length;
  return isSurah
    ? { kind: "surah", surah }
    : { kind: "strange", problem: `${digits} is not a surah's number, 1 to 114` };
}

/** 1..114, or 0 when the name does not tell. */
export function parseSurah(name: string): number {
  const read = readFileName(name);
  return read.kind === "surah" ? read.surah : 0;
}

/** Also the files that macOS puts beside every one of ours: ._001.mp3. */
export function isHidden(name: string): boolean {
  return name.startsWith(".");
}

/** Why a name cannot be asked for, if so. */
export function findNameProblem(name: string): string | undefined {
  // What is not UTF-8 on the card arrives here as U+FFFD, and a file cannot be opened by that.
  if (name.includes("\uFFFD")) return "the name is not valid UTF-8";
  return /[\p{Cc}\\]/u.test(name) ? "the name has control characters or a backslash" : undefined;
}
