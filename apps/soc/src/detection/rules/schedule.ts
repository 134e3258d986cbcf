import { createHash } from "node:crypto";

/** A half-open span of ingest time: `from` is included, `to` is not. */
export interface Window {
  from: Date;
  to: Date;
}

/** When a rule is due. Windows end at whole multiples of the interval, so that many rules are due together. */
export interface Schedule {
  rule_id: string;
  interval_minutes: number;
  /** Where the next window begins: all earlier time is covered or waits for backfill. */
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
const MAX_BATCH_RULES = 50;
/**
 * Missed windows are merged up to this length, because the result of a rule does not depend on how time is divided.
 */
const MAX_WINDOW_MS = 60 * MINUTE_MS;

/** The end of the window that begins at `from`. */
export function windowEndAfter(from: Date, interval_minutes: number): Date {
  const intervalMs = interval_minutes * MINUTE_MS;
  return new Date((Math.floor(from.getTime() / intervalMs) + 1) * intervalMs);
}

/** The window of a due rule, entirely below the watermark. */
export function computeDueWindow(schedule: Schedule, watermark: Date): DueWindow {
  const { rule_id, interval_minutes, window_from, next_run_at } = schedule;
  const intervalMs = interval_minutes * MINUTE_MS;
  const first = next_run_at.getTime();
  const lastClosed = Math.floor(watermark.getTime() / intervalMs) * intervalMs;
  const furthest = Math.floor((window_from.getTime() + MAX_WINDOW_MS) / intervalMs) * intervalMs;
  const to = new Date(Math.max(first, Math.min(lastClosed, furthest)));
  return { rule_id, from: window_from, to, next_run_at: windowEndAfter(to, interval_minutes) };
}

/** Groups rules with the same window into batches of up to fifty. */
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
    return Array.from({ length: Math.ceil(ordered.length / MAX_BATCH_RULES) }, (_, part) => {
      const those = ordered.slice(part * MAX_BATCH_RULES, (part + 1) * MAX_BATCH_RULES);
      return { id: batchIdOf(from, to, those), from, to, rule_ids: those };
    });
  });
}

function batchIdOf(from: Date, to: Date, rule_ids: readonly string[]): string {
  const text = [from.toISOString(), to.toISOString(), ...rule_ids].join("\n");
  return `${to.getTime()}-${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
}
