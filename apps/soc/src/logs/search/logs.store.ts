import type { Scope } from "../../foundation/caller/caller.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogSelection, LogSource, LogStats, LogStore, MissingStores } from "../../ports/log-store.ts";
import { toSql } from "../query/condition-sql.ts";
import { isLog, type LogsPlace, type LogsSelection, type LogWindow } from "./log-selection.ts";
import { requireAllStores, toPartial } from "./partial.ts";

export interface LogsPage {
  limit: number;
  skip?: number;
  after?: Pick<LogsPlace, "timestamp" | "id">;
  /** Newest first by default. */
  order?: "newest" | "oldest";
}

/** Read access to the logs: from the log store if available, otherwise by a predicate in memory. Newest first. */
export interface LogsStore {
  search(selection: LogsSelection, page: LogsPage, signal?: AbortSignal): Promise<LogEvent[]>;
  /** The number of logs, counted up to `maxCount`. */
  count(selection: LogsSelection, maxCount: number, signal?: AbortSignal): Promise<number>;
  stream(selection: LogsSelection, limit: number, signal: AbortSignal): AsyncIterable<LogEvent[]>;
  find(scope: Scope, log_id: string): Promise<LogEvent | undefined>;
  /** The existing ones of the logs, in any order. */
  findAll(scope: Scope, log_ids: readonly string[], signal?: AbortSignal): Promise<LogEvent[]>;
  /** Covers all sites, as does `stats`. */
  sources(missing?: MissingStores): Promise<LogSource[]>;
  stats(now: Date, missing?: MissingStores): Promise<LogStats>;
}

const ALL_TIME: LogWindow = { from: new Date(0), to: new Date(Date.UTC(2299, 11, 31)) };

export const DAY_MS = 24 * 60 * 60_000;

const HOUR_MS = 60 * 60_000;

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function createLogsStore(logs: LogStore): LogsStore {
  async function findWithin(
    scope: Scope,
    log_ids: readonly string[],
    { from, to }: LogWindow,
    signal?: AbortSignal,
  ): Promise<LogEvent[]> {
    if (log_ids.length === 0) return [];
    const where = toSql({ kind: "or", of: log_ids.map(isLog) });
    const missing: MissingStores = new Set();
    const selected = { scope, where, time: "ingested_at", from, to, missing } as const;
    const found = await logs.search({ ...selected, order: "newest", limit: log_ids.length }, signal);
    // An unreachable store may have the others.
    if (found.length < log_ids.length) requireAllStores(toPartial(missing));
    return found;
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

    async find(scope, log_id) {
      const around = nearby(log_id);
      const [near] = around ? await findWithin(scope, [log_id], around) : [];
      return near ?? (await findWithin(scope, [log_id], ALL_TIME))[0];
    },

    async findAll(scope, log_ids, signal) {
      const spans = log_ids.flatMap((log_id) => nearby(log_id) ?? []);
      const first = new Date(Math.min(...spans.map(({ from }) => from.getTime())));
      const last = new Date(Math.max(...spans.map(({ to }) => to.getTime())));
      const near = spans.length > 0 ? await findWithin(scope, log_ids, { from: first, to: last }, signal) : [];
      const known = new Set(near.map(({ id }) => id));
      const rest = log_ids.filter((log_id) => !known.has(log_id));
      return [...near, ...(await findWithin(scope, rest, ALL_TIME, signal))];
    },

    sources: (missing) => logs.sources(missing),
    stats: (now, missing) => logs.stats(now, missing),
  };
}

function selectedBy({ scope, condition, from, to, missing }: LogsSelection): LogSelection {
  return { scope, where: toSql(condition), time: "timestamp", from, to, ...(missing && { missing }) };
}

/** Returns the likely ingest time of a log, from its UUIDv7 id, because a search over all time takes much longer. */
function nearby(log_id: string): LogWindow | undefined {
  if (!VERSION_7.test(log_id)) return undefined;
  const ms = Number.parseInt(log_id.replaceAll("-", "").slice(0, 12), 16);
  if (ms < HOUR_MS || ms > ALL_TIME.to.getTime() - DAY_MS) return undefined;
  return { from: new Date(ms - HOUR_MS), to: new Date(ms + DAY_MS) };
}
