import { createHash } from "node:crypto";

/** A span of ingest time: from its first instant to the first that is no longer in it. */
export interface Window {
  from: Date;
  to: Date;
}

/** When a rule is due. Its windows end at whole multiples of its interval, so that rules are due together. */
export interface Schedule {
  rule_id: string;
  interval_minutes: number;
  /** Where the next window begins: all before it is covered, or waits elsewhere. */
  window_from: Date;
  next_run_at: Date;
}

export interface DueWindow extends Window {
  rule_id: string;
  next_run_at: Date;
}

export interface Batch extends Window {
  id: string;
  rule_ids: string[];
}

const MINUTE_MS = 60_000;
const BATCH_RULES = 50;
/** Windows that were missed become one, of at most this length: what a rule finds does not depend on how time is cut. */
const LONGEST_MS = 60 * MINUTE_MS;

/** The end of the window that begins there. */
export function windowEndAfter(from: Date, interval_minutes: number): Date {
  const intervalMs = interval_minutes * MINUTE_MS;
  return new Date((Math.floor(from.getTime() / intervalMs) + 1) * intervalMs);
}

/** The window of a rule that is due, all of it below the watermark. */
export function computeDueWindow(schedule: Schedule, watermark: Date): DueWindow {
  const { rule_id, interval_minutes, window_from, next_run_at } = schedule;
  const intervalMs = interval_minutes * MINUTE_MS;
  const first = next_run_at.getTime();
  const lastClosed = Math.floor(watermark.getTime() / intervalMs) * intervalMs;
  const furthest = Math.floor((window_from.getTime() + LONGEST_MS) / intervalMs) * intervalMs;
  const to = new Date(Math.max(first, Math.min(lastClosed, furthest)));
  return { rule_id, from: window_from, to, next_run_at: windowEndAfter(to, interval_minutes) };
}

/** Rules with the same window, some fifty to a batch. */
export function groupIntoBatches(windows: readonly DueWindow[]): Batch[] {
  const groups = new Map<string, Window & { rule_ids: string[] }>();
  for (const { rule_id, from, to } of windows) {
    const key = `${from.getTime()}-${to.getTime()}`;
    const group = groups.get(key) ?? { from, to, rule_ids: [] };
    groups.set(key, group);
    group.rule_ids.push(rule_id);
  }
  return [...groups.values()].flatMap(({ from, to, rule_ids }) => {
    const ordered = rule_ids.toSorted();
    return Array.from({ length: Math.ceil(ordered.length / BATCH_RULES) }, (_, part) => {
      const those = ordered.slice(part * BATCH_RULES, (part + 1) * BATCH_RULES);
      return { id: batchIdOf(from, to, those), from, to, rule_ids: those };
    });
  });
}

function batchIdOf(from: Date, to: Date, rule_ids: readonly string[]): string {
  const text = [from.toISOString(), to.toISOString(), ...rule_ids].join("\n");
  return `${to.getTime()}-${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
}
