import type { Scope } from "../foundation/caller/scope.ts";
import type { LogEvent, LogSeverity } from "./log-event.ts";

/**
 * A condition on the columns of the log, which have the names of its fields. Values are bound as parameters, never
 * inlined.
 */
export interface SqlCondition {
  sql: string;
  parameters: Readonly<Record<string, unknown>>;
}

// The expression of the text index. A query must use the same one: with the lower case in a preprocessor of the index, the
// result would depend on whether the engine uses the index.
export const INDEXED_TEXT = String.raw`lower(concat(message, '\n', raw))`;

export interface LogWindow {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/**
 * Collects the names of the stores that an answer lacks because they are unreachable. Only a caller who reports them
 * passes one: without it, a read needs every store and fails when one is unreachable.
 */
export type MissingStores = Set<string>;

export interface LogSelection extends LogWindow {
  /** The store has no access control of its own: every condition on logs is built with it, in one place. */
  scope: Scope;
  where: SqlCondition;
  /** The time by which logs are selected and ordered. */
  time: "timestamp" | "ingested_at";
  missing?: MissingStores;
}

/** The position of a page: the log after which the next page begins. */
export type LogPlace = Pick<LogEvent, "id" | "timestamp" | "ingested_at">;

export interface LogSearch extends LogSelection {
  order: "newest" | "oldest";
  limit: number;
  skip?: number;
  after?: LogPlace;
}

export interface LogExport extends LogSelection {
  order: "newest" | "oldest";
  /** The maximum number of logs. */
  limit: number;
}

/** What is computed from the logs of a selection, in one pass over them. */
export interface SummaryColumns {
  /** The columns of the answer, computed from the columns of a log. */
  columns: SqlCondition;
  /** The SQL after the condition: how the logs are grouped, and how many groups are answered. */
  groups?: string;
}

export interface LogSummary<Row, Part = Row> extends LogSelection, SummaryColumns {
  /** The time that the engine may take. */
  maxSeconds: number;
  parts: SummaryParts<Row, Part>;
}

/** What each of several stores computes instead, and how this becomes the rows that one store would answer. */
export interface SummaryParts<Row, Part> extends SummaryColumns {
  /** Undefined when there are more rows than it can merge. */
  merge: (rows: readonly (readonly Part[])[]) => Row[] | undefined;
}

export interface LogStats {
  total_events: number;
  events_24h: number;
  events_per_second: number;
  by_severity: Record<LogSeverity, number>;
  by_source: Record<string, number>;
  ingest_lag_s: number;
  storage_bytes: number;
}

export interface LogSource {
  source: string;
  events: number;
  first_seen: string;
  last_seen: string;
}

/**
 * Who waits for the answer: a person who searches, a person who previews a rule, a rule by its schedule, or the stream
 * of new logs. Each lane has its own connections to the engine, so that none of them can starve another one.
 */
export const LOG_LANES = ["people", "previews", "rules", "stream"] as const;
export type LogLane = (typeof LOG_LANES)[number];

export interface LogReads {
  search(search: LogSearch, signal?: AbortSignal): Promise<LogEvent[]>;
  /** The number of logs, counted up to `maxCount`. */
  count(selection: LogSelection, maxCount: number, signal?: AbortSignal): Promise<number>;
  /** The logs in order, in blocks; each block is read on demand. */
  stream(asked: LogExport, signal?: AbortSignal): AsyncIterable<LogEvent[]>;
  /**
   * All logs of all sites that were ingested within the window, the oldest first, in blocks: for consumers that read
   * every log once.
   */
  read(window: LogWindow, signal?: AbortSignal): AsyncIterable<readonly LogEvent[]>;
  /** The rows of a summary; undefined if it takes longer than it may. */
  summarise<Row, Part>(asked: LogSummary<Row, Part>, signal?: AbortSignal): Promise<Row[] | undefined>;
  /** Of all sites. */
  stats(now: Date, missing?: MissingStores): Promise<LogStats>;
  /** The thousand most frequent sources of all sites. */
  sources(missing?: MissingStores): Promise<LogSource[]>;
}

/** How many stores there are, and the names of those that do not answer. */
export interface LogStoreState {
  stores: number;
  missing: string[];
}

export interface InsertOptions {
  token: string;
  /** The partition that the batch comes from. All batches of a partition are in one of several stores. */
  partition?: number;
  /** The store begins no insert from this instant on: its sender no longer owns the partition. */
  notAfter?: Date;
}

/**
 * The log storage that the SIEM needs. It throws a Problem: invalid for a wrong request, unavailable otherwise. Its own
 * reads are those of people.
 */
export interface LogStore extends LogReads {
  lane(lane: LogLane): LogReads;
  /** Creates or updates the tables. Idempotent. */
  migrate(): Promise<void>;
  /**
   * Stores the whole batch durably, or nothing. A batch with the token of an earlier one is not stored again, so a
   * retry with the same token, and the same partition, is safe while at most 1,000 other batches came between.
   */
  insert(batch: readonly LogEvent[], options: InsertOptions): Promise<void>;
  /** Whether every store answers: only then is a read of new logs without `missing` possible. */
  isAvailable(): Promise<boolean>;
  state(): Promise<LogStoreState>;
  close(): Promise<void>;
}
