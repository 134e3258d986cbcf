import { LOG_SEVERITIES, type LogSeverity } from "../../ports/log-event.ts";
import { compareText } from "../../ports/log-order.ts";
import type { LogSource, LogStats } from "../../ports/log-store.ts";

/** The counts of one store, in a form that can be added to those of others. */
export interface StoreCounts {
  by_severity: Record<LogSeverity, number>;
  /** Ingested within the last day, and within the last minute. */
  day: number;
  minute: number;
  /** The number of fresh logs per lag, in any order. */
  lags: readonly { ms: number; logs: number }[];
  bytes: number;
}

const SECONDS_A_MINUTE = 60;

export function toStats(
  { by_severity, day, minute, bytes }: Omit<StoreCounts, "lags">,
  by_source: LogStats["by_source"],
  ingest_lag_s: number,
): LogStats {
  return {
    total_events: LOG_SEVERITIES.reduce((sum, severity) => sum + by_severity[severity], 0),
    events_24h: day,
    events_per_second: minute / SECONDS_A_MINUTE,
    by_severity,
    by_source,
    ingest_lag_s,
    storage_bytes: bytes,
  };
}

export function addCounts(counted: readonly StoreCounts[]): StoreCounts {
  const by_severity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const each of counted) {
    for (const severity of LOG_SEVERITIES) by_severity[severity] += each.by_severity[severity];
  }
  const add = (read: (counts: StoreCounts) => number) => counted.reduce((sum, each) => sum + read(each), 0);
  return {
    by_severity,
    day: add(({ day }) => day),
    minute: add(({ minute }) => minute),
    lags: counted.flatMap(({ lags }) => lags),
    bytes: add(({ bytes }) => bytes),
  };
}

/** The median of the lags in seconds, the mean of the two middle ones if their number is even; 0 without any. */
export function findMedianLag(lags: StoreCounts["lags"]): number {
  const total = lags.reduce((sum, { logs }) => sum + logs, 0);
  if (total === 0) return 0;
  const sorted = lags.toSorted((a, b) => a.ms - b.ms);
  const at = (place: number) => {
    let before = 0;
    for (const { ms, logs } of sorted) {
      before += logs;
      if (before > place) return ms;
    }
    return 0;
  };
  const middle = (total - 1) / 2;
  return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2 / 1000;
}

/** Returns the most frequent sources of all stores. */
export function mergeSources(lists: readonly (readonly LogSource[])[], limit: number): LogSource[] {
  const merged = new Map<string, LogSource>();
  for (const each of lists.flat()) {
    const known = merged.get(each.source);
    merged.set(each.source, known ? joinSource(known, each) : each);
  }
  return [...merged.values()]
    .toSorted((a, b) => b.events - a.events || compareText(a.source, b.source))
    .slice(0, limit);
}

function joinSource(a: LogSource, b: LogSource): LogSource {
  return {
    source: a.source,
    events: a.events + b.events,
    first_seen: compareText(a.first_seen, b.first_seen) < 0 ? a.first_seen : b.first_seen,
    last_seen: compareText(a.last_seen, b.last_seen) > 0 ? a.last_seen : b.last_seen,
  };
}
