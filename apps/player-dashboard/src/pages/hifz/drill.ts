import type { ModeRequest, PlaybackStatus } from "@player/service/contract/playback";

/** What somebody wants to hear again and again. */
export interface Drill {
  scope: "surah" | "range";
  /** The surah, or the first of the range. */
  from: number;
  /** The last of the range; counts for nothing with one surah. */
  to: number;
  /** Hearings of each surah; 0 is endless, for one surah. */
  repeat: number;
  pause_s: number;
}

export const MAX_ROUNDS = 1000;
export const MAX_PAUSE_S = 600;

export type Refusal = "backwards" | "missing" | "empty";

/** Why the drill cannot begin with what the reciter has (slot 0 is surah 1); undefined when it can. */
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
 * Whether the surah has to play before the mode is set. A range is refused when the reciter who is current has nothing
 * of it, and until it plays, that is another one.
 */
export function playsFirst({ scope }: Drill, reciter: string, status: Pick<PlaybackStatus, "reciter">): boolean {
  return scope === "range" && status.reciter !== reciter;
}

/** What the form begins with: the drill that is on, or else the surah that was heard last. */
export function toDrill({ advance_mode, surah_number, hifz }: PlaybackStatus): Drill {
  const surah = surah_number || 1;
  if (!hifz) return { scope: "surah", from: surah, to: surah, repeat: 5, pause_s: 10 };
  const { repeat_target: repeat, pause_s, ab_start: from = surah, ab_end: to = surah } = hifz;
  return { scope: advance_mode === "hifz_ab" ? "range" : "surah", from, to, repeat, pause_s };
}
