import type { Scope } from "../foundation/caller/caller.ts";
import type { LogEvent, LogSeverity } from "./log-event.ts";

/**
 * A condition on the columns of the log, which are named like its fields. Values are bound as parameters, never
 * inlined.
 */
export interface SqlCondition {
  sql: string;
  parameters: Readonly<Record<string, unknown>>;
}

// The expression of the text index. A query must use the same one. If a preprocessor of the index lowered the case, the
// result would depend on whether the engine uses the index.
export const INDEXED_TEXT = String.raw`lower(concat(message, '\n', raw))`;

export interface LogWindow {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/**
 * Collects the names of unreachable stores that a response lacks. Only a caller that reports them passes one: without
 * it, a read needs every store and fails if one is unreachable.
 */
export type MissingStores = Set<string>;

export interface LogSelection extends LogWindow {
  /** The store has no access control of its own. Every condition on logs is built with the scope, in one place. */
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

/** An aggregate over the logs of a selection, in one pass. */
export interface SummaryColumns {
  /** The result columns, computed from the columns of a log. */
  columns: SqlCondition;
  /** The SQL after the condition: how the logs are grouped, and how many groups are returned. */
  groups?: string;
}

export interface LogSummary<Row, Part = Row> extends LogSelection, SummaryColumns {
  /** The time limit of the engine. */
  maxSeconds: number;
  parts: SummaryParts<Row, Part>;
}

/**
 * What each of several stores computes instead, and how their results become the rows that a single store would return.
 */
export interface SummaryParts<Row, Part> extends SummaryColumns {
  /** Undefined if there are more rows than it can merge. */
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
 * Who waits for the result: a person who searches, a person who previews a rule, a scheduled rule, or the stream of new
 * logs. Each lane has its own connections to the engine, so that no lane can starve another one.
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
   * All logs of all sites that were ingested within the window, oldest first, in blocks: for consumers that read every
   * log once.
   */
  read(window: LogWindow, signal?: AbortSignal): AsyncIterable<readonly LogEvent[]>;
  /** The rows of a summary; undefined if it exceeds its time limit. */
  summarise<Row, Part>(asked: LogSummary<Row, Part>, signal?: AbortSignal): Promise<Row[] | undefined>;
  /** Covers all sites. */
  stats(now: Date, missing?: MissingStores): Promise<LogStats>;
  /** The thousand most frequent sources of all sites. */
  sources(missing?: MissingStores): Promise<LogSource[]>;
}

/** The number of stores, and the names of those that do not respond. */
export interface LogStoreState {
  stores: number;
  missing: string[];
}

export interface InsertOptions {
  token: string;
  /** The partition of the batch. All batches of a partition go to one of the stores. */
  partition?: number;
  /** The store starts no insert after this instant, because the sender no longer owns the partition. */
  notAfter?: Date;
}

/**
 * The log storage that the SIEM needs. It throws a Problem: invalid for a wrong request, unavailable otherwise. Its own
 * reads use the lane of people.
 */
export interface LogStore extends LogReads {
  lane(lane: LogLane): LogReads;
  /** Creates or updates the tables. Idempotent. */
  migrate(): Promise<void>;
  /** Returns the identities of all stores, which their migration creates. Throws if a store does not respond. */
  identify(): Promise<string[]>;
  /**
   * Stores the whole batch durably, or nothing. A batch with the token of an earlier one is not stored again. A retry
   * with the same token and partition is therefore safe while at most 1,000 other batches were stored in between.
   */
  insert(batch: readonly LogEvent[], options: InsertOptions): Promise<void>;
  /** Whether every store responds. Only then can new logs be read without `missing`. */
  isAvailable(): Promise<boolean>;
  state(): Promise<LogStoreState>;
  close(): Promise<void>;
}
