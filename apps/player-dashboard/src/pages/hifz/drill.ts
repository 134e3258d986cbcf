import type { ModeRequest } from "@player/service/contract/advance-mode";
import type { PlaybackStatus } from "@player/service/contract/playback";

/** What to repeat for memorization. */
export interface Drill {
  scope: "surah" | "range";
  /** The surah, or the first of the range. */
  from: number;
  /** The last of the range; ignored for a single surah. */
  to: number;
  /** Rounds of each surah; 0 is endless, for a single surah. */
  repeat: number;
  pause_s: number;
}

export const MAX_ROUNDS = 1000;
export const MAX_PAUSE_S = 600;

export type Refusal = "backwards" | "missing" | "empty";

/** Why the drill cannot start with the available surahs (index 0 is surah 1); undefined when it can. */
export function findDrillProblem({ scope, from, to }: Drill, available: readonly boolean[]): Refusal | undefined {
  if (scope === "surah") return available[from - 1] ? undefined : "missing";
  if (from > to) return "backwards";
  return available.slice(from - 1, to).some(Boolean) ? undefined : "empty";
}

/** How many surahs of the range will be skipped because the reciter does not have them. */
export function countSkipped({ scope, from, to }: Drill, available: readonly boolean[]): number {
  return scope === "surah" ? 0 : available.slice(from - 1, to).filter((isThere) => !isThere).length;
}

export function buildModeRequest({ scope, from, to, repeat, pause_s }: Drill): ModeRequest {
  if (scope === "surah") return { mode: "hifz_repeat", repeat, pause_s };
  return { mode: "hifz_ab", repeat: Math.max(1, repeat), pause_s, ab: { from, to } };
}

/** The first surah of the drill that the reciter has. */
export function findFirstSurah({ from }: Drill, available: readonly boolean[]): number {
  return available.indexOf(true, from - 1) + 1;
}

/**
 * Whether the surah has to play before the mode is set. The device refuses a range of which the current reciter has
 * nothing, and until the surah plays, the current reciter is another one.
 */
export function playsFirst({ scope }: Drill, reciter: string, status: Pick<PlaybackStatus, "reciter">): boolean {
  return scope === "range" && status.reciter !== reciter;
}

/** The form's initial values: the current drill, or the surah that was played last. */
export function toDrill({ advance_mode, surah_number, hifz }: PlaybackStatus): Drill {
  const surah = surah_number || 1;
  if (!hifz) return { scope: "surah", from: surah, to: surah, repeat: 5, pause_s: 10 };
  const { repeat_target: repeat, pause_s, ab_start: from = surah, ab_end: to = surah } = hifz;
  return { scope: advance_mode === "hifz_ab" ? "range" : "surah", from, to, repeat, pause_s };
}
