import type { Log } from "../search-client.ts";

/** `live`: rows appear. `paused`: the user scrolled, new rows wait. `stopped`: no stream. */
export type TailPhase = "live" | "paused" | "stopped";

export interface Tail {
  phase: TailPhase;
  /** Newest first. */
  rows: readonly Log[];
  /** Logs that arrived while paused, newest first. */
  waiting: readonly Log[];
  /** Number of logs that the service or this page dropped. */
  dropped: number;
  isEstimate: boolean;
}

export const MAX_TAIL_ROWS = 1000;

export const NEW_TAIL: Tail = { phase: "live", rows: [], waiting: [], dropped: 0, isEstimate: false };

/** Adds logs in the order of their arrival. A paused tail stores the newest of them. */
export function addLogs(tail: Tail, logs: readonly Log[]): Tail {
  if (tail.phase === "stopped" || logs.length === 0) return tail;
  const newest = logs.toReversed();
  if (tail.phase === "live") return { ...tail, rows: [...newest, ...tail.rows].slice(0, MAX_TAIL_ROWS) };
  const waiting = [...newest, ...tail.waiting];
  const surplus = Math.max(0, waiting.length - MAX_TAIL_ROWS);
  return { ...tail, waiting: waiting.slice(0, MAX_TAIL_ROWS), dropped: tail.dropped + surplus };
}

export function addDropped(tail: Tail, count: number, isEstimate: boolean): Tail {
  return { ...tail, dropped: tail.dropped + count, isEstimate: tail.isEstimate || isEstimate };
}

export function pauseTail(tail: Tail): Tail {
  return tail.phase === "live" ? { ...tail, phase: "paused" } : tail;
}

/** Shows the waiting logs. */
export function resumeTail(tail: Tail): Tail {
  if (tail.phase !== "paused") return tail;
  return { ...tail, phase: "live", rows: [...tail.waiting, ...tail.rows].slice(0, MAX_TAIL_ROWS), waiting: [] };
}

export function stopTail(tail: Tail): Tail {
  return { ...resumeTail(tail), phase: "stopped" };
}
