import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { LogEvent, LogSeverity } from "../../ports/log-event.ts";
import type { LogExport, LogLane, LogPlace, LogReads, LogSource, LogSummary } from "../../ports/log-store.ts";
import { isTooCostly, refusing, type StatementKind } from "./clickhouse-problems.ts";
import {
  BY_SEVERITY,
  BY_SOURCE,
  buildCountQuestion,
  buildCutsQuestion,
  buildIntervalsQuestion,
  buildPlacesQuestion,
  buildSearchQuestion,
  buildSourcesQuestion,
  buildStorageQuestion,
  buildSummaryQuestion,
  LAG,
  LAGS,
  MAX_SOURCES,
  type Question,
  RECENT,
} from "./clickhouse-questions.ts";
import { createReading, type Interval, type ReadingLimits } from "./clickhouse-reading.ts";
import type { MemberReads } from "./member.ts";
import type { RecentLogs } from "./recent-logs.ts";
import { type StoreCounts, toStats } from "./store-counts.ts";

export interface ReadsDeps {
  client: ClickHouseClient;
  lane: LogLane;
  /** The limits of a query. */
  settings: ClickHouseSettings;
  cluster: string | undefined;
  recent: RecentLogs | undefined;
  limits: ReadingLimits;
}

/** The log engine on a single machine reads it; ClickHouse ignores it. */
export const LANE_HEADER = "x-log-lane";
/** The log engine starts no insert after this instant; ClickHouse ignores it and relies on the token. */
export const NOT_AFTER_HEADER = "x-log-not-after";

const EXPORT_PAGE_ROWS = 5000;
const MAX_EVERY_SOURCE = 100_000;
/** The size limit of a summary. One store returns far less; the results of several stores are merged in memory. */
const MAX_SUMMARY_BYTES = 64 * 1024 ** 2;
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
const LAG_MS = 5 * MINUTE_MS;
const READ_SETTINGS: ClickHouseSettings = {
  date_time_output_format: "iso",
  output_format_json_quote_64bit_integers: 0,
  // On by default; with ORDER BY and LIMIT it prevents the use of the text index, so that the engine reads every
  // message.
  use_top_k_dynamic_filtering: 0,
};
/**
 * A preview may use one core only. No lane has a `priority`: a lower-priority query waits inside the call that starts
 * it, and that call blocks the engine's event loop, which the higher-priority query needs in order to end.
 */
const LANE_SETTINGS: Readonly<Partial<Record<LogLane, ClickHouseSettings>>> = { previews: { max_threads: 1 } };

/** The reads of one lane. */
export function createReads({ client, lane, settings, cluster, recent, limits }: ReadsDeps): MemberReads {
  const clickhouse_settings = { ...READ_SETTINGS, ...settings, ...LANE_SETTINGS[lane] };
  const http_headers = { [LANE_HEADER]: lane };

  const summarySettings = (maxSeconds: number): ClickHouseSettings => ({
    ...clickhouse_settings,
    max_execution_time: maxSeconds,
    max_result_bytes: String(MAX_SUMMARY_BYTES),
    result_overflow_mode: "throw",
  });

  async function rows<Row>(
    { sql, parameters = {} }: Question,
    doing: StatementKind = "other",
    signal?: AbortSignal,
    querySettings: ClickHouseSettings = clickhouse_settings,
  ): Promise<Row[]> {
    return refusing(doing, signal, async () => {
      // The client only notices a signal that aborts later.
      signal?.throwIfAborted();
      const answer = await client.query({
        query: sql,
        query_params: { ...parameters },
        format: "JSONEachRow",
        clickhouse_settings: querySettings,
        http_headers,
        ...(signal && { abort_signal: signal }),
      });
      return answer.json<Row>();
    });
  }

  async function firstRow<Row>(question: Question, doing?: StatementKind, signal?: AbortSignal): Promise<Row> {
    const [row] = await rows<Row>(question, doing, signal);
    if (row === undefined) throw new Error("the log store returned no row");
    return row;
  }

  /**
   * Reads page by page, each within a slice of time, so that a page sorts only few rows. A single ordered result would
   * be sorted completely, in memory or on disk, before the first log is sent, and a page without a slice would scan
   * everything after it.
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

  async function countSeverities(): Promise<Record<LogSeverity, number>> {
    const by_severity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
    const counted = await rows<{ severity: LogSeverity; events: number }>({ sql: BY_SEVERITY });
    for (const { severity, events } of counted) by_severity[severity] = events;
    return by_severity;
  }

  async function measureStorage(): Promise<number> {
    return (await firstRow<{ bytes: number }>({ sql: buildStorageQuestion(cluster) })).bytes;
  }

  const search: LogReads["search"] = async (asked, signal) =>
    rows<LogEvent>(buildSearchQuestion(asked), "search", signal);

  return {
    search,

    async count(selection, maxCount, signal) {
      return (await firstRow<{ found: number }>(buildCountQuestion(selection, maxCount), "search", signal)).found;
    },

    stream: streamed,

    read: createReading({
      store: { search },
      countIntervals: (window, widthMs, signal) =>
        rows<Interval>(buildIntervalsQuestion(window, widthMs), "search", signal),
      recent,
      limits,
    }),

    async summarise<Row, Part>(asked: LogSummary<Row, Part>, signal?: AbortSignal) {
      try {
        return await rows<Row>(buildSummaryQuestion(asked), "search", signal, summarySettings(asked.maxSeconds));
      } catch (error) {
        if (isTooCostly(error)) return undefined;
        throw error;
      }
    },

    async stats(now) {
      const parameters = toTimes(now);
      const [severities, sources, recent, lag, storage] = await Promise.all([
        countSeverities(),
        rows<{ source: string; events: number }>({ sql: BY_SOURCE }),
        firstRow<PartitionKey>({ sql: RECENT, parameters }),
        firstRow<{ seconds: number | null }>({ sql: LAG, parameters }),
        measureStorage(),
      ]);
      const by_source = Object.fromEntries(sources.map(({ source, events }) => [source, events]));
      return toStats({ by_severity: severities, ...recent, bytes: storage }, by_source, lag.seconds ?? 0);
    },

    sources: () => rows<LogSource>(buildSourcesQuestion(MAX_SOURCES)),

    places: (asked, signal) => rows<LogPlace>(buildPlacesQuestion(asked), "search", signal),

    async counts(now) {
      const parameters = toTimes(now);
      const [by_severity, recent, lags, bytes] = await Promise.all([
        countSeverities(),
        firstRow<PartitionKey>({ sql: RECENT, parameters }),
        rows<StoreCounts["lags"][number]>({ sql: LAGS, parameters }),
        measureStorage(),
      ]);
      return { by_severity, ...recent, lags, bytes };
    },

    everySource: () => rows<LogSource>(buildSourcesQuestion(MAX_EVERY_SOURCE)),
  };
}

interface PartitionKey {
  day: number;
  minute: number;
}

function toTimes(now: Date): Record<string, number> {
  const nowMs = now.getTime();
  return {
    store_now: nowMs,
    store_day: nowMs - DAY_MS,
    store_minute: nowMs - MINUTE_MS,
    store_lag: nowMs - LAG_MS,
  };
}
