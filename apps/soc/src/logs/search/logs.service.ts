import type { Clock } from "@kit/clock";
import { notFound } from "@kit/problem";
import type { Condition } from "@kit/query/condition";
import type { Scope } from "../../foundation/caller/caller.ts";
import { DEFAULT_LIMIT, isUuid, type Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogStats, MissingStores } from "../../ports/log-store.ts";
import { toLogBody } from "./log-body.ts";
import { CSV_HEAD, formatCsvLine } from "./log-csv.ts";
import { buildLogSelection, cursorAt, type LogFilter, type LogsSelection, placeAt } from "./log-selection.ts";
import {
  type AroundQuery,
  EXPORT_LIMITS,
  type ExportFormat,
  type ExportLogsQuery,
  type LogWindowQuery,
  type SearchLogsQuery,
} from "./logs.schema.ts";
import { DAY_MS, type LogsPage, type LogsStore } from "./logs.store.ts";
import { type PartialAnswer, toPartial } from "./partial.ts";

export interface LogsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: LogsStore; showcase: LogsStore };
  clock: Pick<Clock, "now" | "deadline">;
}
export type LogsService = ReturnType<typeof createLogsService>;

export interface FoundLogs extends PartialAnswer {
  total: number;
  total_is_estimate?: boolean;
  logs: LogEvent[];
}

export interface LogsAround extends PartialAnswer {
  log: LogEvent;
  before: LogEvent[];
  after: LogEvent[];
}

export interface LogsExport {
  format: ExportFormat;
  /** The maximum number of logs. */
  limit: number;
  /** False when there are more logs than the limit. */
  isComplete: boolean;
  lines: AsyncIterable<string>;
  /** Aborts at the deadline of the export. */
  signal: AbortSignal;
}

/** Up to this number a total is exact; beyond it, the total is reported as an estimate. */
const MAX_EXACT_TOTAL = 10_000;
const DEFAULT_AROUND = 20;
const MAX_COUNTED_TOTAL = 1_000_000;
// A client that takes longer is assumed to have stopped reading.
const EXPORT_MS = 10 * 60_000;

export function createLogsService({ runtime, stores, clock }: LogsServiceDeps) {
  return {
    async list(scope: Scope, query: SearchLogsQuery, signal?: AbortSignal): Promise<Page<LogEvent> & PartialAnswer> {
      const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
      const after = cursor === undefined ? undefined : placeAt(cursor);
      const now = after?.now ?? clock.now();
      const selection = buildLogSelection(scope, query, now);
      const store = await runtime.choose(stores);
      const { logs, isMore, ...total } = await read(store, selection, { limit, skip, ...(after && { after }) }, signal);
      const last = logs.at(-1);
      return { items: logs, ...total, skip, limit, next_cursor: isMore && last ? cursorAt(last, now) : null };
    },

    /** Returns the newest logs that match a filter. */
    async newest(
      scope: Scope,
      asked: LogFilter & LogWindowQuery,
      limit: number,
      signal?: AbortSignal,
    ): Promise<FoundLogs> {
      const selection = buildLogSelection(scope, asked, clock.now());
      const { isMore: _, ...found } = await read(await runtime.choose(stores), selection, { limit }, signal);
      return found;
    },

    async get(scope: Scope, log_id: string): Promise<LogEvent> {
      const store = await runtime.choose(stores);
      const log = await store.find(scope, toLogId(log_id));
      if (!log) throw notFound("log", log_id);
      return log;
    },

    /** Returns the existing logs in the order of their ids, and the ids of the others. */
    async getMany(
      scope: Scope,
      log_ids: readonly string[],
      signal?: AbortSignal,
    ): Promise<{ logs: LogEvent[]; missing: string[] }> {
      const wanted = [...new Set(log_ids.map(toLogId))];
      const store = await runtime.choose(stores);
      const found = new Map((await store.findAll(scope, wanted, signal)).map((log) => [log.id, log]));
      return {
        logs: wanted.flatMap((id) => found.get(id) ?? []),
        missing: wanted.filter((id) => !found.has(id)),
      };
    },

    /** Returns the logs shortly before and after a log, within a day, each in time order. */
    async around(scope: Scope, log_id: string, asked: AroundQuery, signal?: AbortSignal): Promise<LogsAround> {
      const { before = DEFAULT_AROUND, after = DEFAULT_AROUND, same = [] } = asked;
      const store = await runtime.choose(stores);
      const log = await store.find(scope, toLogId(log_id));
      if (!log) throw notFound("log", log_id);
      const of = [...new Set(same)].map((name): Condition => {
        const text = log[name];
        return { kind: "text", field: { name }, pattern: [{ text }], isCased: true };
      });
      const at = Date.parse(log.timestamp);
      const missing: MissingStores = new Set();
      const window = { from: new Date(at - DAY_MS), to: new Date(at + DAY_MS) };
      const selection = { scope, condition: { kind: "and", of }, ...window, missing } as const;
      const read = (order: "newest" | "oldest", limit: number) =>
        limit === 0 ? [] : store.search(selection, { limit, after: log, order }, signal);
      const older = await read("newest", before);
      const newer = await read("oldest", after);
      return { log, before: older.toReversed(), after: newer, ...toPartial(missing) };
    },

    /**
     * Streams at the speed of the client, newest first. An error before the first line is thrown; a later one ends the
     * stream.
     */
    async export(scope: Scope, query: ExportLogsQuery): Promise<LogsExport> {
      const { format = "ndjson", limit = EXPORT_LIMITS.default } = query;
      const selection = buildLogSelection(scope, query, clock.now());
      const store = await runtime.choose(stores);
      const signal = clock.deadline(EXPORT_MS);
      const isComplete = (await store.count(selection, limit + 1, signal)) <= limit;
      return { format, limit, isComplete, lines: streamLines(store.stream(selection, limit, signal), format), signal };
    },

    /** Covers all sites. */
    async stats(): Promise<LogStats & PartialAnswer> {
      const missing: MissingStores = new Set();
      const stats = await (await runtime.choose(stores)).stats(clock.now(), missing);
      return { ...stats, ...toPartial(missing) };
    },
  };
}

function toLogId(log_id: string): string {
  return isUuid(log_id) ? log_id.toLowerCase() : log_id;
}

async function read(store: LogsStore, asked: LogsSelection, page: LogsPage, signal: AbortSignal | undefined) {
  const { limit, skip = 0, after } = page;
  const missing: MissingStores = new Set();
  const selection = { ...asked, missing };
  const found = await store.search(selection, { ...page, limit: limit + 1 }, signal);
  const isMore = found.length > limit;
  // If the first page contains all logs, no count is needed.
  const isAll = !isMore && skip === 0 && after === undefined;
  const counted = isAll ? found.length : await store.count(selection, MAX_COUNTED_TOTAL, signal);
  const isExact = counted <= MAX_EXACT_TOTAL && missing.size === 0;
  const total = isExact ? { total: counted } : { total: counted, total_is_estimate: true };
  return { ...total, ...toPartial(missing), logs: found.slice(0, limit), isMore };
}

async function* streamLines(blocks: AsyncIterable<LogEvent[]>, format: ExportFormat): AsyncIterable<string> {
  if (format === "csv") yield CSV_HEAD;
  const formatLine = format === "csv" ? formatCsvLine : (log: LogEvent) => `${JSON.stringify(toLogBody(log))}\n`;
  for await (const block of blocks) yield block.map(formatLine).join("");
}
