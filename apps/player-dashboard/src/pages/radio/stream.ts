import type { PlaybackStatus } from "@player/service/contract/playback";
import type { Language } from "../../app/language/language.ts";
import { counted } from "../../app/language/numbers.ts";
import { radioPhrases } from "./radio-phrases.ts";

/** The address of the current stream, whether it plays, is paused or is still connecting. */
export function findStreamUrl(status: Pick<PlaybackStatus, "state" | "source"> | undefined): string | undefined {
  if (status?.state === "stopped" || status?.source?.type !== "stream") return undefined;
  return status.source.url;
}

export type StreamStatus = Pick<PlaybackStatus, "state" | "retry_in_s" | "underrun_count" | "position">;

/** The state of the stream as text. `agoS` is the age of the status. */
export function streamWords(status: StreamStatus, agoS: number, language: Language): string {
  const phrases = radioPhrases[language];
  if (status.state === "paused") return phrases.paused;
  if (status.state !== "buffering") return phrases.playing;
  if (status.retry_in_s === null) return status.underrun_count > 0 ? phrases.buffering : phrases.connecting;
  const left = Math.max(0, Math.ceil(status.retry_in_s - agoS));
  return `${phrases.silent} ${left === 0 ? phrases.connecting : counted(left, phrases.nextTry, language)}`;
}
