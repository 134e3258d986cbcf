import { toSql } from "../query/condition-sql.ts";
import type { LogEvent } from "./log.ts";
import { isLog, type LogsPlace, type LogsSelection } from "./log-selection.ts";
import type { LogSelection, LogSource, LogStats, LogStore } from "./log-store.ts";

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

export const DAY_MS = 24 * 60 * 60_000;

const HOUR_MS = 60 * 60_000;

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
