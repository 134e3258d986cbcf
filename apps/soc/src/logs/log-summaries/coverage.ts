import type { MissingStores } from "../../ports/log-store.ts";
import type { LogWindow } from "../search/log-selection.ts";
import { type PartialAnswer, toPartial } from "../search/partial.ts";

/**
 * The part of the window that a response covers: all of it, or the logs since `covered_from`, of the stores that
 * responded.
 */
export interface WindowCoverage extends PartialAnswer {
  from: Date;
  to: Date;
  is_partial: boolean;
  covered_from: Date | null;
}

/** One attempt: the newest share of the window, and the engine's time limit for it. */
export interface Attempt {
  share: number;
  maxSeconds: number;
}

/**
 * Less than a second in total: a person waits for the response, and the engine ends each attempt slightly late. A query
 * that cannot finish returns the newest logs.
 */
export const ATTEMPTS: readonly Attempt[] = [
  { share: 1, maxSeconds: 0.55 },
  { share: 1 / 4, maxSeconds: 0.18 },
  { share: 1 / 32, maxSeconds: 0.11 },
  { share: 1 / 512, maxSeconds: 0.06 },
];

export interface ToCover {
  window: LogWindow;
  now: Date;
  attempts: readonly Attempt[];
}

/** Reads the window, or as much of its newest part as can be read in time. Without a result if nothing can be read. */
export async function coverNewest<Result>(
  { window, now, attempts }: ToCover,
  read: (window: LogWindow & { missing: MissingStores }, maxSeconds: number) => Promise<Result | undefined>,
): Promise<{ covered: WindowCoverage; result: Result | undefined }> {
  const { from, to } = window;
  // Few logs have a future timestamp, so the newest are those before now.
  const newest = from < now && now < to ? now : to;
  for (const { share, maxSeconds } of attempts) {
    const start = share === 1 ? from : new Date(newest.getTime() - (newest.getTime() - from.getTime()) * share);
    const missing: MissingStores = new Set();
    const result = start < to ? await read({ from: start, to, missing }, maxSeconds) : undefined;
    if (result === undefined) continue;
    const covered_from = share < 1 ? start : null;
    return { covered: { from, to, is_partial: share < 1, covered_from, ...toPartial(missing) }, result };
  }
  return { covered: { from, to, is_partial: true, covered_from: to }, result: undefined };
}
