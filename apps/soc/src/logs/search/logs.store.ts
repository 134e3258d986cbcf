import { toSql } from "../query/condition-sql.ts";
import { toPredicate } from "../query/predicate.ts";
import type { LogEvent } from "./log.ts";
import { isLog, type LogsPlace, type LogsSelection } from "./log-selection.ts";
import type { LogSelection, LogSource, LogStats, LogStore } from "./log-store.ts";
import type { SourceCounts } from "./sources.schema.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    logs: LogEvent[];
    log_counters: ReadonlyMap<string, SourceCounts>;
  }
}

export interface LogsPage {
  limit: number;
  skip?: number;
  after?: Pick<LogsPlace, "timestamp" | "id">;
}

/**
 * Read access to the logs: by the log store if available, otherwise by a predicate in memory. The newest come first.
 */
export interface LogsStore {
  search(selection: LogsSelection, page: LogsPage, signal?: AbortSignal): Promise<LogEvent[]>;
  /** The number of logs, counted up to `maxCount`. */
  count(selection: LogsSelection, maxCount: number, signal?: AbortSignal): Promise<number>;
  stream(selection: LogsSelection, limit: number, signal: AbortSignal): AsyncIterable<LogEvent[]>;
  find(log_id: string): Promise<LogEvent | undefined>;
  sources(): Promise<LogSource[]>;
  stats(now: Date): Promise<LogStats>;
}

const BEGINNING = new Date(0);
const END = new Date(Date.UTC(2299, 11, 31));
const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;
const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function createLogsStore(logs: LogStore): LogsStore {
  async function findWithin(log_id: string, from: Date, to: Date): Promise<LogEvent | undefined> {
    const where = toSql(isLog(log_id));
    const [log] = await logs.search({ where, time: "ingested_at", from, to, order: "newest", limit: 1 });
    return log;
  }

  return {
    search: async (selection, { limit, skip = 0, after }, signal) =>
      logs.search(
        {
          ...selectedBy(selection),
          order: "newest",
          limit,
          skip,
          ...(after && { after: { ...after, ingested_at: after.timestamp } }),
        },
        signal,
      ),

    count: async (selection, maxCount, signal) => logs.count(selectedBy(selection), maxCount, signal),

    stream: (selection, limit, signal) => logs.stream({ ...selectedBy(selection), order: "newest", limit }, signal),

    async find(log_id) {
      const around = nearby(log_id);
      return (around && (await findWithin(log_id, ...around))) ?? findWithin(log_id, BEGINNING, END);
    },

    sources: () => logs.sources(),
    stats: (now) => logs.stats(now),
  };
}

function selectedBy({ condition, from, to }: LogsSelection): LogSelection {
  return { where: toSql(condition), time: "timestamp", from, to };
}

/** The likely ingest time of a log, from its UUIDv7 id: a search over all time takes much longer. */
function nearby(log_id: string): [from: Date, to: Date] | undefined {
  if (!VERSION_7.test(log_id)) return undefined;
  const ms = Number.parseInt(log_id.replaceAll("-", "").slice(0, 12), 16);
  return ms < HOUR_MS || ms > END.getTime() - DAY_MS ? undefined : [new Date(ms - HOUR_MS), new Date(ms + DAY_MS)];
}

/** The logs of the showcase, which are read-only. */
export function createShowcaseLogsStore(logs: readonly LogEvent[]): LogsStore {
  const newestFirst = logs.toSorted((a, b) => compare(b, a));

  function selected({ condition, from, to }: LogsSelection): LogEvent[] {
    const isWanted = toPredicate(condition);
    const [first, end] = [from.toISOString(), to.toISOString()];
    return newestFirst.filter((log) => log.timestamp >= first && log.timestamp < end && isWanted(log));
  }

  return {
    async search(selection, { limit, skip = 0, after }) {
      const found = selected(selection);
      const rest = after ? found.filter((log) => compare(log, after) < 0) : found;
      return rest.slice(skip, skip + limit);
    },

    count: async (selection, maxCount) => Math.min(selected(selection).length, maxCount),

    async *stream(selection, limit) {
      yield selected(selection).slice(0, limit);
    },

    find: async (log_id) => logs.find(({ id }) => id === log_id),

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
  const lags = logs.map(({ timestamp, ingested_at }) => Date.parse(ingested_at) - Date.parse(timestamp));
  return (lags.toSorted((a, b) => a - b)[Math.floor(lags.length / 2)] ?? 0) / 1000;
}
