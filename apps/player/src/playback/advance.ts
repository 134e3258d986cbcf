import { invalidField } from "@kit/problem";
import type { ModeRequest } from "../settings/advance-mode.schema.ts";
import type { HifzBody } from "./playback.schema.ts";
import type { Source } from "./source.ts";

/** What happens after a surah was played to its end. */
export type AdvanceMode =
  | { mode: "off" | "continuous" | "repeat_one" }
  | { mode: "hifz_repeat"; repeat: number; pause_s: number }
  | { mode: "hifz_ab"; repeat: number; pause_s: number; from: number; to: number };

/**
 * The position of a listener: the surah that was just played, and which surahs its reciter has on the card (slot 0 is
 * surah 1).
 */
export interface RecitationContext {
  surah: number;
  available: readonly boolean[];
}

export type Advance =
  | { step: "stop" }
  | { step: "again"; pause_s: number }
  | { step: "surah"; surah: number; pause_s: number };

const STOP = { step: "stop" } as const;

/** Parses a valid request. Fields of other modes are validated but ignored. */
export function parseAdvanceMode({ mode, repeat, pause_s = 0, ab }: ModeRequest): AdvanceMode {
  if (ab && ab.from > ab.to) throw invalidField("ab.from", "must not be greater than ab.to");
  if (mode === "hifz_repeat") return { mode, repeat: repeat ?? 0, pause_s };
  if (mode !== "hifz_ab") return { mode };
  if (!ab) throw invalidField("ab", "is required");
  if (repeat === 0) throw invalidField("repeat", "must be an integer from 1 to 1000");
  return { mode, repeat: repeat ?? 1, pause_s, from: ab.from, to: ab.to };
}

/** The inverse of parseAdvanceMode, for storing. */
export function toModeRequest(mode: AdvanceMode): ModeRequest {
  if (mode.mode !== "hifz_ab") return { ...mode };
  const { from, to, ...rest } = mode;
  return { ...rest, ab: { from, to } };
}

export function isHifz(mode: AdvanceMode): mode is Extract<AdvanceMode, { repeat: number }> {
  return mode.mode === "hifz_repeat" || mode.mode === "hifz_ab";
}

/** Outside a gap `gapLeftMs` is undefined. */
export function buildHifzBody(
  mode: AdvanceMode,
  repeat_done: number,
  gapLeftMs: number | undefined,
): HifzBody | undefined {
  if (!isHifz(mode)) return undefined;
  const waiting = gapLeftMs !== undefined;
  const gap = waiting ? { gap_left_s: Math.max(0, Math.ceil(gapLeftMs / 1000)) } : {};
  const body = { repeat_done, repeat_target: mode.repeat, pause_s: mode.pause_s, waiting, ...gap };
  return mode.mode === "hifz_ab" ? { ...body, ab_start: mode.from, ab_end: mode.to } : body;
}

/**
 * After a play-through, which `repeat_done` already counts. A file that is not a surah of a reciter has no `listening`.
 */
export function afterEnd(mode: AdvanceMode, repeat_done: number, listening: RecitationContext | undefined): Advance {
  switch (mode.mode) {
    case "off":
      return STOP;
    case "repeat_one":
      return { step: "again", pause_s: 0 };
    case "continuous":
      return toSurah(listening && findNeighbour(listening, 1), 0);
    case "hifz_repeat":
      return mode.repeat !== 0 && repeat_done >= mode.repeat ? STOP : { step: "again", pause_s: mode.pause_s };
    case "hifz_ab": {
      const isInRange = listening && listening.surah >= mode.from && listening.surah <= mode.to;
      if (isInRange && repeat_done < mode.repeat) return { step: "again", pause_s: mode.pause_s };
      return toSurah(listening && nextInRange(listening, mode), mode.pause_s);
    }
    default:
      return mode satisfies never;
  }
}

/** After a file that could not be played: nothing was played, so nothing is counted and there is no gap. */
export function afterFailure(mode: AdvanceMode, listening: RecitationContext | undefined): Advance {
  switch (mode.mode) {
    case "off":
      return STOP;
    case "repeat_one":
    case "hifz_repeat":
      return { step: "again", pause_s: 0 };
    case "continuous":
      return toSurah(listening && findNeighbour(listening, 1), 0);
    case "hifz_ab":
      return toSurah(listening && nextInRange(listening, mode), 0);
    default:
      return mode satisfies never;
  }
}

/** Whether a drill goes on when this source is chosen: the repeated file, or a surah of the range. */
export function belongsTo(mode: AdvanceMode, current: Source | undefined, next: Source): boolean {
  if (next.kind !== "file") return false;
  if (mode.mode === "hifz_ab") return next.file.surah >= mode.from && next.file.surah <= mode.to;
  return current?.kind === "file" && current.file.path === next.file.path;
}

/** The nearest surah of the reciter in a direction. */
export function findNeighbour({ surah, available }: RecitationContext, direction: 1 | -1): number | undefined {
  for (let candidate = surah + direction; candidate >= 1 && candidate <= available.length; candidate += direction) {
    if (available[candidate - 1]) return candidate;
  }
  return undefined;
}

export function hasAnyInRange(available: readonly boolean[], { from, to }: { from: number; to: number }): boolean {
  return available.slice(from - 1, to).some(Boolean);
}

/** The next available surah of the range, wrapping from `to` to `from`; from outside the range, its first one. */
function nextInRange(
  { surah, available }: RecitationContext,
  { from, to }: { from: number; to: number },
): number | undefined {
  const size = to - from + 1;
  const start = surah >= from && surah <= to ? surah - from + 1 : 0;
  for (let step = 0; step < size; step += 1) {
    const candidate = from + ((start + step) % size);
    if (available[candidate - 1]) return candidate;
  }
  return undefined;
}

function toSurah(surah: number | undefined, pause_s: number): Advance {
  return surah === undefined ? STOP : { step: "surah", surah, pause_s };
}
