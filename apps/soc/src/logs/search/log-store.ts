import type { LogEvent, LogSeverity } from "./log.ts";

/** A condition on the columns of the log, which have the names of its fields. Values are bound, never written into it. */
export interface SqlCondition {
  sql: string;
  parameters: Readonly<Record<string, unknown>>;
}

export interface LogWindow {
  from: Date;
  /** The first instant that is no longer asked for. */
  to: Date;
}

export interface LogSelection extends LogWindow {
  where: SqlCondition;
  /** Which of its two times a log is chosen, and ordered, by. */
  time: "timestamp" | "ingested_at";
}

/** Where a page ends: the log after which the next page begins. */
export type LogPlace = Pick<LogEvent, "id" | "timestamp" | "ingested_at">;

export interface LogSearch extends LogSelection {
  order: "newest" | "oldest";
  limit: number;
  skip?: number;
  after?: LogPlace;
}

export interface LogExport extends LogSelection {
  order: "newest" | "oldest";
  /** At most so many logs. */
  limit: number;
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

/** What the SIEM needs of a place for logs. It refuses with a Problem: invalid for what was asked, unavailable for the rest. */
export interface LogStore {
  /** Makes the tables, or brings them up to date. Safe to repeat. */
  migrate(): Promise<void>;
  /**
   * Stores all of the batch or none, durably. A batch with the token of an earlier one is not stored again, so a retry
   * with the same token is safe while at most 1,000 other batches came between.
   */
  insert(batch: readonly LogEvent[], options: { token: string }): Promise<void>;
  search(search: LogSearch, signal?: AbortSignal): Promise<LogEvent[]>;
  /** How many there are, counted no further than `maxCount`. */
  count(selection: LogSelection, maxCount: number, signal?: AbortSignal): Promise<number>;
  /** The logs in order, in blocks, each read when it is taken. */
  stream(asked: LogExport, signal?: AbortSignal): AsyncIterable<LogEvent[]>;
  /** All logs that were taken in within the window, the oldest first, in blocks: for those who look at every log once. */
  read(window: LogWindow, signal?: AbortSignal): AsyncIterable<readonly LogEvent[]>;
  stats(now: Date): Promise<LogStats>;
  /** The most frequent thousand. */
  sources(): Promise<LogSource[]>;
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
}
