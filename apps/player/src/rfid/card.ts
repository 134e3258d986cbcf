import type { PlaybackStatus } from "../playback/playback.schema.ts";
import type { Target } from "../targets/target.schema.ts";

const SEPARATORS = /[ :.-]/g;
// Single, double and triple size (ISO/IEC 14443-3).
const UID = /^(?:[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})$/i;

/** A UID as it is kept: hex of 4, 7 or 10 bytes, upper case, without separators. Undefined when the text is none. */
export function parseUid(text: string): string | undefined {
  const digits = text.replaceAll(SEPARATORS, "");
  return UID.test(digits) ? digits.toUpperCase() : undefined;
}

/** Whether it starts something that can then be heard, rather than changing what is heard. */
export function isPlayable(target: Target): boolean {
  const last = target.type === "sequence" ? target.steps.at(-1) : target;
  return last !== undefined && last.type !== "command";
}

/** What stays the same while a source goes on by itself: surahs follow each other, the reciter remains. */
export function sourceKeyOf(source: PlaybackStatus["source"]): string {
  return source?.type === "surah" ? JSON.stringify([source.reciter]) : JSON.stringify(source);
}
