import type { PlaybackStatus } from "@player/service/contract/playback";
import type { Language } from "../language/language.ts";
import { counted, numberWords } from "../language/numbers.ts";
import { fill } from "../language/translations.ts";
import { type Call, callWords } from "./call-words.ts";
import { playbackPhrases } from "./playback-phrases.ts";
import type { NowPlaying } from "./playing.ts";

export interface Situation extends Pick<Call, "adhan"> {
  status: PlaybackStatus;
  kind: NowPlaying["kind"];
  retryInSeconds: number | undefined;
  gapSeconds: number | undefined;
}

/** The state of the player as text. */
export function stateWords({ status, kind, adhan, retryInSeconds, gapSeconds }: Situation, language: Language): string {
  const phrases = playbackPhrases[language];
  if (kind === "call") return callWords({ track: status.track, adhan }, language).state;
  switch (status.state) {
    case "buffering":
      return retryInSeconds === undefined
        ? phrases.buffering
        : fill(phrases.bufferingRetry, { seconds: counted(retryInSeconds, phrases.seconds, language) });
    case "paused":
      return phrases.paused;
    case "stopped":
      return status.hifz && isDone(status.hifz) ? phrases.hifzDone : phrases.stopped;
    case "playing":
      return status.hifz?.waiting ? gapWords(gapSeconds, language) : phrases.playing;
    default:
      return status.state satisfies never;
  }
}

/** The pause between two rounds. */
export function gapWords(gapSeconds: number | undefined, language: Language): string {
  const phrases = playbackPhrases[language];
  if (gapSeconds === undefined) return phrases.gap;
  return fill(phrases.gapNext, { seconds: numberWords(gapSeconds, language) });
}

function isDone({ repeat_done, repeat_target }: { repeat_done: number; repeat_target: number }): boolean {
  return repeat_target > 0 && repeat_done >= repeat_target;
}
