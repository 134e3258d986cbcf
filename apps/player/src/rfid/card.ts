import type { PlaybackStatus } from "../playback/playback.schema.ts";
import type { Target } from "../targets/target.schema.ts";

const SEPARATORS = /[ :.-]/g;
// Single, double and triple size (ISO/IEC 14443-3).
const UID = /^(?:[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})$/i;

/**
 * A UID in its stored form: hex of 4, 7 or 10 bytes, upper case, without separators. Undefined when the text is not a
 * UID.
 */
export function parseUid(text: string): string | undefined {
  const digits = text.replaceAll(SEPARATORS, "");
  return UID.test(digits) ? digits.toUpperCase() : undefined;
}

/** Whether the target starts a source, rather than changing the current one. */
export function isPlayable(target: Target): boolean {
  const last = target.type === "sequence" ? target.steps.at(-1) : target;
  return last !== undefined && last.type !== "command";
}

/** What stays the same while playback advances by itself: the surah changes, the reciter remains. */
export function sourceKeyOf(source: PlaybackStatus["source"]): string {
  return source?.type === "surah" ? JSON.stringify([source.reciter]) : JSON.stringify(source);
}
