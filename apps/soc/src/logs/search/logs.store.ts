import { toSql } from "../query/condition-sql.ts";
import type { LogEvent } from "./log.ts";
import { isLog, type LogsPlace, type LogsSelection } from "./log-selection.ts";
import type { LogSelection, LogSource, LogStats, LogStore } from "./log-store.ts";

export interface LogsPage {
  limit: number;
  skip?: number;
  after?: Pick<LogsPlace, "timestamp" | "id">;
  /** The newest come first unless this says otherwise. */
  order?: "newest" | "oldest";
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
  /** Those of the logs that exist, in any order. */
  findAll(log_ids: readonly string[], signal?: AbortSignal): Promise<LogEvent[]>;
  sources(): Promise<LogSource[]>;
  stats(now: Date): Promise<LogStats>;
}

const BEGINNING = new Date(0);

const END = new Date(Date.UTC(2299, 11, 31));

export const DAY_MS = 24 * 60 * 60_000;

const HOUR_MS = 60 * 60_000;

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function createLogsStore(logs: LogStore): LogsStore {
  async function findWithin(log_ids: readonly string[], from: Date, to: Date, signal?: AbortSignal) {
    if (log_ids.length === 0) return [];
    const where = toSql({ kind: "or", of: log_ids.map(isLog) });
    return logs.search({ where, time: "ingested_at", from, to, order: "newest", limit: log_ids.length }, signal);
  }

  return {
    search: async (selection, { limit, skip = 0, after, order = "newest" }, signal) =>
      logs.search(
        {
          ...selectedBy(selection),
          order,
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
      const [near] = around ? await findWithin([log_id], ...around) : [];
      return near ?? (await findWithin([log_id], BEGINNING, END))[0];
    },

    async findAll(log_ids, signal) {
      const spans = log_ids.flatMap((log_id) => nearby(log_id) ?? []);
      const times = spans.map((time) => time.getTime());
      const near =
        spans.length > 0
          ? await findWithin(log_ids, new Date(Math.min(...times)), new Date(Math.max(...times)), signal)
          : [];
      const known = new Set(near.map(({ id }) => id));
      const rest = log_ids.filter((log_id) => !known.has(log_id));
      return [...near, ...(await findWithin(rest, BEGINNING, END, signal))];
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
