import type { Window } from "../rules/schedule.ts";

/** Windows end at whole minutes, and therefore at the end of a segment. */
export const SEGMENT_MS = 5000;

/** The start times of the segments that cover the window. */
export function listSegmentStarts({ from, to }: Window): number[] {
  const first = Math.floor(from.getTime() / SEGMENT_MS) * SEGMENT_MS;
  return Array.from({ length: Math.ceil((to.getTime() - first) / SEGMENT_MS) }, (_, n) => first + n * SEGMENT_MS);
}

/** Groups segments that follow each other without a gap. */
export function groupRuns(starts: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const start of starts) {
    const run = runs.at(-1);
    if (run?.at(-1) === start - SEGMENT_MS) run.push(start);
    else runs.push([start]);
  }
  return runs;
}
