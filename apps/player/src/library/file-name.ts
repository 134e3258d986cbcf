import { SURAH_NAMES } from "./surah-names.ts";

/** The meaning of a file name. */
export type FileName =
  | { kind: "surah"; surah: number }
  /** Looks like a recitation but has no valid surah number; the owner should see the reason. */
  | { kind: "strange"; problem: string }
  /** Hidden, or not audio. */
  | { kind: "other" };

const RECITATION = /\.(?:mp3|flac|ogg|opus|m4a|wav)$/i;
// The engine plays more than what is indexed, for example the recording of an adhan.
const AUDIO = /\.(?:mp3|flac|og[ga]|opus|m4[ab]|wav|aac|aiff?|wma|webm|mp4|mka|amr|3gp)$/i;
const LEADING_DIGITS = /^(?:surah[ _-]?)?(\d+)/i;
const VERSE_DIGITS = 6;

export function readFileName(name: string): FileName {
  if (isHidden(name)) return { kind: "other" };
  const unreadable = findNameProblem(name);
  if (unreadable) return { kind: "strange", problem: unreadable };
  if (!RECITATION.test(name)) return { kind: "other" };
  const digits = LEADING_DIGITS.exec(name)?.[1];
  if (digits === undefined) return { kind: "strange", problem: "the name does not begin with a surah's number" };
  if (digits.length === VERSE_DIGITS) return { kind: "strange", problem: "six digits are a verse, not a whole surah" };
  const surah = Number(digits);
  const isSurah = digits.length <= 3 && surah >= 1 && surah <= SURAH_NAMES.length;
  return isSurah
    ? { kind: "surah", surah }
    : { kind: "strange", problem: `${digits} is not a surah's number, 1 to 114` };
}

/** 1..114, or 0 when the file name has no surah number. */
export function parseSurah(name: string): number {
  const read = readFileName(name);
  return read.kind === "surah" ? read.surah : 0;
}

/** Whether a file of this name may be played when it is asked for. */
export function isAudio(name: string): boolean {
  return AUDIO.test(name);
}

/** Also hides the files that macOS creates beside each file: ._001.mp3. */
export function isHidden(name: string): boolean {
  return name.startsWith(".");
}

/** Why a client cannot request this name; undefined when it can. */
export function findNameProblem(name: string): string | undefined {
  // Names that are not UTF-8 arrive here with U+FFFD, and the file cannot be opened by such a name.
  if (name.includes("\uFFFD")) return "the name is not valid UTF-8";
  return /[\p{Cc}\\]/u.test(name) ? "the name has control characters or a backslash" : undefined;
}
