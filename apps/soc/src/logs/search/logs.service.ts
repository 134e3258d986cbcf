import type { Clock } from "@kit/clock";
import { notFound } from "@kit/problem";
import { DEFAULT_LIMIT, type Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogEvent } from "./log.ts";
import { CSV_HEAD, formatCsvLine } from "./log-csv.ts";
import { buildLogSelection, cursorAt, type LogFilter, type LogsSelection, placeAt } from "./log-selection.ts";
import type { LogStats } from "./log-store.ts";
import {
  EXPORT_LIMITS,
  type ExportFormat,
  type ExportLogsQuery,
  type LogWindowQuery,
  type SearchLogsQuery,
} from "./logs.schema.ts";
import type { LogsPage, LogsStore } from "./logs.store.ts";

export interface LogsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: LogsStore; showcase: LogsStore };
  clock: Pick<Clock, "now" | "deadline">;
}
export type LogsService = ReturnType<typeof createLogsService>;

export interface FoundLogs {
  total: number;
  total_is_estimate?: boolean;
  logs: LogEvent[];
}

export interface LogsExport {
  format: ExportFormat;
  /** At most so many logs. */
  limit: number;
  /** False when there are more logs than the limit. */
  isComplete: boolean;
  lines: AsyncIterable<string>;
  /** When it must be over. */
  signal: AbortSignal;
}

/** To here a total is exact in every list; beyond it is as good as the counting went. */
const EXACT_UP_TO = 10_000;
const COUNTED_UP_TO = 1_000_000;
// Whoever takes longer does not read any more.
const EXPORT_MS = 10 * 60_000;

export function createLogsService({ runtime, stores, clock }: LogsServiceDeps) {
  return {
    async list(query: SearchLogsQuery, signal?: AbortSignal): Promise<Page<LogEvent>> {
      const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
      const after = cursor === undefined ? undefined : placeAt(cursor);
      const now = after?.now ?? clock.now();
      const selection = buildLogSelection(query, now);
      const store = await runtime.choose(stores);
      const { logs, isMore, ...total } = await read(store, selection, { limit, skip, ...(after && { after }) }, signal);
      const last = logs.at(-1);
      return { items: logs, ...total, skip, limit, next_cursor: isMore && last ? cursorAt(last, now) : null };
    },

    /** The newest that a filter finds. */
    async newest(asked: LogFilter & LogWindowQuery, limit: number, signal?: AbortSignal): Promise<FoundLogs> {
      const selection = buildLogSelection(asked, clock.now());
      const { isMore: _, ...found } = await read(await runtime.choose(stores), selection, { limit }, signal);
      return found;
    },

    async get(log_id: string): Promise<LogEvent> {
      const store = await runtime.choose(stores);
      const log = await store.find(isUuid(log_id) ? log_id.toLowerCase() : log_id);
      if (!log) throw notFound("log", log_id);
      return log;
    },

    /** Read as fast as it is taken, the newest first. Refuses before the first line, or ends the stream with an error. */
    async export(query: ExportLogsQuery): Promise<LogsExport> {
      const { format = "ndjson", limit = EXPORT_LIMITS.default } = query;
      const selection = buildLogSelection(query, clock.now());
      const store = await runtime.choose(stores);
      const signal = clock.deadline(EXPORT_MS);
      const isComplete = (await store.count(selection, limit + 1, signal)) <= limit;
      return { format, limit, isComplete, lines: streamLines(store.stream(selection, limit, signal), format), signal };
    },

    async stats(): Promise<LogStats> {
      return (await runtime.choose(stores)).stats(clock.now());
    },
  };
}

async function read(store: LogsStore, selection: LogsSelection, page: LogsPage, signal: AbortSignal | undefined) {
  const { limit, skip = 0, after } = page;
  const found = await store.search(selection, { ...page, limit: limit + 1 }, signal);
  const isMore = found.length > limit;
  // When all of them are here they need not be counted.
  const isAll = !isMore && skip === 0 && after === undefined;
  const counted = isAll ? found.length : await store.count(selection, COUNTED_UP_TO, signal);
  return { ...toTotal(counted), logs: found.slice(0, limit), isMore };
}

function toTotal(counted: number): { total: number; total_is_estimate?: boolean } {
  return counted <= EXACT_UP_TO ? { total: counted } : { total: counted, total_is_estimate: true };
}

async function* streamLines(blocks: AsyncIterable<LogEvent[]>, format: ExportFormat): AsyncIterable<string> {
  if (format === "csv") yield CSV_HEAD;
  const formatLine = format === "csv" ? formatCsvLine : (log: LogEvent) => `${JSON.stringify(log)}\n`;
  for await (const block of blocks) yield block.map(formatLine).join("");
}
