import type { LogEvent } from "../../ports/log-event.ts";
import type { LogStats } from "../../ports/log-store.ts";
import { toPredicate } from "../query/predicate.ts";
import type { LogsSelection } from "./log-selection.ts";
import { DAY_MS, type LogsStore } from "./logs.store.ts";

const MINUTE_MS = 60_000;

/** The logs of the showcase, which are read-only. */
export function createShowcaseLogsStore(logs: readonly LogEvent[]): LogsStore {
  const newestFirst = logs.toSorted((a, b) => compare(b, a));

  function selected({ condition, from, to }: LogsSelection): LogEvent[] {
    const isWanted = toPredicate(condition);
    const [first, end] = [from.toISOString(), to.toISOString()];
    return newestFirst.filter((log) => log.timestamp >= first && log.timestamp < end && isWanted(log));
  }

  return {
    async search(selection, { limit, skip = 0, after, order = "newest" }) {
      const found = order === "newest" ? selected(selection) : selected(selection).toReversed();
      const isBeyond = (place: number) => (order === "newest" ? place < 0 : place > 0);
      const rest = after ? found.filter((log) => isBeyond(compare(log, after))) : found;
      return rest.slice(skip, skip + limit);
    },

    count: async (selection, maxCount) => Math.min(selected(selection).length, maxCount),

    async *stream(selection, limit) {
      yield selected(selection).slice(0, limit);
    },

    find: async (_scope, log_id) => logs.find(({ id }) => id === log_id),
    findAll: async (_scope, log_ids) => logs.filter(({ id }) => log_ids.includes(id)),

    async sources() {
      const names = [...new Set(logs.map(({ source }) => source))];
      return names.map((source) => {
        const those = newestFirst.filter((log) => log.source === source);
        return {
          source,
          events: those.length,
          first_seen: those.at(-1)?.timestamp ?? "",
          last_seen: those[0]?.timestamp ?? "",
        };
      });
    },

    stats: async (now) => computeStats(newestFirst, now),
  };
}

function compare(a: Pick<LogEvent, "timestamp" | "id">, b: Pick<LogEvent, "timestamp" | "id">): number {
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

function computeStats(logs: readonly LogEvent[], now: Date): LogStats {
  const since = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const ingestedSince = (instant: string) => logs.filter(({ ingested_at }) => ingested_at >= instant).length;
  const by_severity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  const by_source: Record<string, number> = {};
  let storage_bytes = 0;
  for (const log of logs) {
    by_severity[log.severity] += 1;
    by_source[log.source] = (by_source[log.source] ?? 0) + 1;
    storage_bytes += Buffer.byteLength(JSON.stringify(log));
  }
  return {
    total_events: logs.length,
    events_24h: ingestedSince(since(DAY_MS)),
    events_per_second: ingestedSince(since(MINUTE_MS)) / (MINUTE_MS / 1000),
    by_severity,
    by_source,
    ingest_lag_s: computeMedianLag(logs),
    storage_bytes,
  };
}

function computeMedianLag(logs: readonly LogEvent[]): number {
  const lags = logs
    .filter(({ timestamp_origin }) => timestamp_origin === "event")
    .map(({ timestamp, ingested_at }) => Date.parse(ingested_at) - Date.parse(timestamp))
    .filter((lagMs) => lagMs <= DAY_MS);
  return (lags.toSorted((a, b) => a - b)[Math.floor(lags.length / 2)] ?? 0) / 1000;
}
