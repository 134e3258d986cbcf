import type { Agent } from "node:http";
import { Readable } from "node:stream";
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from "@clickhouse/client";
import { invalidField } from "@kit/problem";
import { LOG_SEVERITIES, type LogEvent, type LogSeverity } from "../logs/search/log.ts";
import type { LogExport, LogSource, LogStats, LogStore } from "../logs/search/log-store.ts";
import { type Doing, toProblem } from "./clickhouse-problems.ts";
import {
  BY_SEVERITY,
  BY_SOURCE,
  buildCountQuestion,
  buildCutsQuestion,
  buildInstantsQuestion,
  buildSearchQuestion,
  buildStorageQuestion,
  LAG,
  type Question,
  RECENT,
  SOURCE_ROWS,
} from "./clickhouse-questions.ts";
import { createReading, type Instant, type ReadingLimits } from "./clickhouse-reading.ts";
import { encodeRows } from "./clickhouse-rows.ts";
import { boxTables, buildTableChanges, clusterTables } from "./clickhouse-tables.ts";
import type { RecentLogs } from "./recent-logs.ts";

export interface ClickhouseLogStoreDeps {
  /** `http(s)://user:password@host:port/database`, or the log engine's own with its agent. */
  url: string;
  agent?: Agent;
  /** The name of the cluster whose tables to use; if omitted, the tables are on one box. */
  cluster?: string;
  retentionDays: number;
  /** If omitted, every read of new logs queries the engine. */
  recent?: RecentLogs;
  limits?: Partial<LogStoreLimits>;
}

export interface LogStoreLimits extends ReadingLimits {
  searchSeconds: number;
  /** An insert in progress holds back the watermark, and with it the rules of all machines. */
  insertSeconds: number;
  memoryBytes: number;
  rowsToRead: number;
}

const LIMITS: LogStoreLimits = {
  searchSeconds: 20,
  insertSeconds: 30,
  memoryBytes: 2 * 1024 ** 3,
  rowsToRead: 5_000_000_000,
  readLogs: 10_000,
  readInstants: 100_000,
};
const RETENTION_DAYS = 36_500;
const BATCH_ROWS = 50_000;
const BATCH_BYTES = 128 * 1024 * 1024;
const EXPORT_PAGE_ROWS = 5000;
const REQUEST_MARGIN_MS = 5000;
// Changes of tables.
const COMMAND_SECONDS = 60;
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
const LAG_MS = 5 * MINUTE_MS;

const INSERT_SETTINGS: ClickHouseSettings = {
  // On by default since 26.3: it acknowledges under a different rule and merges batches that have their own tokens.
  async_insert: 0,
  // Each batch is one block, however it is parsed. If the engine split it, each block would get a token with its own
  // number, and a repeated batch that is split elsewhere would lose or duplicate rows.
  min_insert_block_size_bytes: "0",
  max_insert_threads: "1",
  // Text that looks like a date stays text.
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  // In a list of truth values and numbers, true stays true: a rule in memory does not read it as 1.
  input_format_json_read_bools_as_numbers: 0,
  date_time_input_format: "best_effort",
  // {"a.b": 1, "a": {"b": 2}} names one path twice; the engine keeps the first, and `raw` holds the original.
  type_json_skip_duplicated_paths: 1,
};
const READ_SETTINGS: ClickHouseSettings = {
  date_time_output_format: "iso",
  output_format_json_quote_64bit_integers: 0,
  // On by default; with ORDER BY and LIMIT it prevents the use of the text index, so the engine reads every message.
  use_top_k_dynamic_filtering: 0,
};

/**
 * The log store through ClickHouse's official client: on one box it connects to the log engine's process, otherwise to
 * a cluster.
 */
export function createClickhouseLogStore(deps: ClickhouseLogStoreDeps): LogStore {
  const { url, agent, cluster, retentionDays, recent } = deps;
  if (!Number.isInteger(retentionDays) || retentionDays < 1 || retentionDays > RETENTION_DAYS) {
    throw invalidField("retention", `must be an integer from 1 to ${RETENTION_DAYS} days`);
  }
  const limits = { ...LIMITS, ...deps.limits };
  const open = (answerSeconds: number) =>
    createClient({
      url,
      // The engine's process never closes an idle connection. If idle connections expired here, each client of a shared
      // agent would close connections that another client is using.
      ...(agent && { http_agent: agent, keep_alive: { enabled: true, idle_socket_ttl: 0 } }),
      request_timeout: answerSeconds * 1000 + REQUEST_MARGIN_MS,
      application: "manara-soc",
      log: { level: ClickHouseLogLevel.OFF },
    });
  const client = open(Math.max(limits.searchSeconds, COMMAND_SECONDS));
  const inserting = open(limits.insertSeconds);
  const insertSettings: ClickHouseSettings = {
    ...INSERT_SETTINGS,
    max_execution_time: limits.insertSeconds,
    ...(cluster !== undefined && {
      distributed_foreground_insert: 1,
      insert_quorum: "auto",
      insert_quorum_timeout: limits.insertSeconds * 1000,
    }),
  };
  const local = cluster === undefined ? "logs" : "logs_local";
  const readSettings: ClickHouseSettings = {
    ...READ_SETTINGS,
    max_execution_time: limits.searchSeconds,
    max_memory_usage: String(limits.memoryBytes),
    max_rows_to_read: String(limits.rowsToRead),
  };

  async function rows<Row>(
    { sql, parameters = {} }: Question,
    doing: Doing = "other",
    signal?: AbortSignal,
  ): Promise<Row[]> {
    return refusing(doing, signal, async () => {
      const answer = await client.query({
        query: sql,
        query_params: { ...parameters },
        format: "JSONEachRow",
        clickhouse_settings: readSettings,
        ...(signal && { abort_signal: signal }),
      });
      return answer.json<Row>();
    });
  }

  async function firstRow<Row>(question: Question, doing?: Doing, signal?: AbortSignal): Promise<Row> {
    const [row] = await rows<Row>(question, doing, signal);
    if (row === undefined) throw new Error("the log store answered no row");
    return row;
  }

  /**
   * Reads page by page, each within a slice of time, so a page sorts only few rows. One ordered result would be sorted
   * completely, in memory or on disk, before the first log is sent; and a page without a slice would scan everything
   * after it.
   */
  async function* streamed(asked: LogExport, signal?: AbortSignal): AsyncGenerator<LogEvent[], void, undefined> {
    const cuts = await rows<{ cut: number }>(buildCutsQuestion(asked), "search", signal);
    const bounds = [asked.from, ...cuts.map(({ cut }) => new Date(cut)), asked.to];
    const slices = bounds.slice(1).map((to, place) => ({ from: bounds[place] ?? asked.from, to }));
    let left = asked.limit;
    for (const slice of asked.order === "oldest" ? slices : slices.toReversed()) {
      for await (const page of streamPages({ ...asked, ...slice, limit: left }, signal)) {
        left -= page.length;
        yield page;
      }
      if (left === 0) return;
    }
  }

  async function* streamPages(
    asked: LogExport,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<LogEvent[], void, undefined> {
    let left = asked.limit;
    let after: LogEvent | undefined;
    do {
      const limit = Math.min(left, EXPORT_PAGE_ROWS);
      const page = await rows<LogEvent>(
        buildSearchQuestion({ ...asked, limit, ...(after && { after }) }),
        "search",
        signal,
      );
      if (page.length > 0) yield page;
      left -= page.length;
      after = page.length === limit && left > 0 ? page.at(-1) : undefined;
    } while (after);
  }

  const search: LogStore["search"] = async (asked, signal) =>
    rows<LogEvent>(buildSearchQuestion(asked), "search", signal);

  return {
    migrate: () => refusing("other", undefined, () => migrate(client, { cluster, retentionDays, table: local })),

    async insert(batch, { token }) {
      if (batch.length === 0) return;
      if (batch.length > BATCH_ROWS) throw invalidField("batch", `has more than ${BATCH_ROWS} logs`);
      const values = encodeRows(batch);
      if (values.length > BATCH_BYTES) throw invalidField("batch", `has more than ${BATCH_BYTES} bytes`);
      await refusing("insert", undefined, async () => {
        const { stream } = await inserting.exec({
          query: "INSERT INTO logs FORMAT JSONEachRow",
          values: Readable.from([values], { objectMode: false }),
          clickhouse_settings: { ...insertSettings, insert_deduplication_token: token },
        });
        await stream.resume().toArray();
      });
      await recent?.keep({ logs: batch, text: values, token });
    },

    search,

    async count(selection, maxCount, signal) {
      return (await firstRow<{ found: number }>(buildCountQuestion(selection, maxCount), "search", signal)).found;
    },

    stream: streamed,

    read: createReading({
      store: { search },
      instantsIn: (window, maxCount, signal) =>
        rows<Instant>(buildInstantsQuestion(window, maxCount), "search", signal),
      recent,
      limits,
    }),

    async stats(now) {
      const nowMs = now.getTime();
      const parameters = {
        store_now: nowMs,
        store_day: nowMs - DAY_MS,
        store_minute: nowMs - MINUTE_MS,
        store_lag: nowMs - LAG_MS,
      };
      const [severities, sources, recent, lag, storage] = await Promise.all([
        rows<{ severity: LogSeverity; events: number }>({ sql: BY_SEVERITY }),
        rows<{ source: string; events: number }>({ sql: BY_SOURCE }),
        firstRow<{ day: number; minute: number }>({ sql: RECENT, parameters }),
        firstRow<{ seconds: number | null }>({ sql: LAG, parameters }),
        firstRow<{ bytes: number }>({ sql: buildStorageQuestion(cluster), parameters: { store_table: local } }),
      ]);
      return toStats({ severities, sources, recent, lag, storage });
    },

    sources: () => rows<LogSource>({ sql: SOURCE_ROWS }),

    isAvailable: async () => (await client.ping()).success,

    async close() {
      await Promise.all([client.close(), inserting.close()]);
    },
  };
}

async function refusing<Result>(
  doing: Doing,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw signal?.aborted ? signal.reason : toProblem(error, doing);
  }
}

interface Migration {
  cluster: string | undefined;
  retentionDays: number;
  /** The table that holds the rows. */
  table: string;
}

async function migrate(client: ClickHouseClient, { cluster, retentionDays, table }: Migration): Promise<void> {
  const statements = cluster === undefined ? boxTables(retentionDays) : clusterTables(retentionDays, cluster);
  for (const query of statements) await client.command({ query });
  const answer = await client.query({
    query:
      "SELECT create_table_query AS made FROM system.tables WHERE database = currentDatabase() AND name = {table:String}",
    query_params: { table },
    format: "JSONEachRow",
  });
  const [row] = await answer.json<{ made: string }>();
  for (const query of buildTableChanges(row?.made ?? "", { table, cluster, retentionDays })) {
    await client.command({ query });
  }
}

interface Counted {
  severities: readonly { severity: LogSeverity; events: number }[];
  sources: readonly { source: string; events: number }[];
  recent: { day: number; minute: number };
  lag: { seconds: number | null };
  storage: { bytes: number };
}

function toStats({ severities, sources, recent, lag, storage }: Counted): LogStats {
  const by_severity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity, events } of severities) by_severity[severity] = events;
  return {
    total_events: LOG_SEVERITIES.reduce((sum, severity) => sum + by_severity[severity], 0),
    events_24h: recent.day,
    events_per_second: recent.minute / (MINUTE_MS / 1000),
    by_severity,
    by_source: Object.fromEntries(sources.map(({ source, events }) => [source, events])),
    ingest_lag_s: lag.seconds ?? 0,
    storage_bytes: storage.bytes,
  };
}
