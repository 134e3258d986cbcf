import { isCall } from "./call.ts";
import type { PlaybackStatus } from "./playback.schema.ts";

/** Every code of an `error` event. The dashboard has a phrase for each of them, in every language. */
export const ERROR_CODES = [
  "adhan",
  "audio",
  "card",
  "file",
  "nfc",
  "power",
  "storage",
  "stream",
  "token",
  "wifi",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** An error that explains what a listener misses. It lasts until something else plays. */
export interface KeptError {
  code: ErrorCode;
  /** The source when it happened; empty when nothing played since. */
  during: string;
}

/** Errors that are not about what plays. */
const ELSEWHERE: ReadonlySet<ErrorCode> = new Set(["nfc", "power", "token", "wifi"]);

export function errorAfterEvent(
  kept: KeptError | undefined,
  code: ErrorCode,
  status: PlaybackStatus,
): KeptError | undefined {
  return ELSEWHERE.has(code) ? kept : { code, during: sourceKeyOf(status) };
}

export function errorAfterStatus(kept: KeptError | undefined, status: PlaybackStatus): KeptError | undefined {
  // A call interrupts the source and gives the place back, so it is not something else that plays.
  if (!kept || isCall(status)) return kept;
  const playing = sourceKeyOf(status);
  if (playing === "") return { ...kept, during: "" };
  return playing === kept.during ? kept : undefined;
}

function sourceKeyOf({ state, source, track }: PlaybackStatus): string {
  return state === "stopped" ? "" : JSON.stringify([source, track]);
}
