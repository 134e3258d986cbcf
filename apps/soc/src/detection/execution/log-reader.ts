import type { Condition } from "@kit/query/condition";
import type { Scope } from "../../foundation/caller/caller.ts";
import { toPredicate, toSql } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogReads, LogSelection } from "../../ports/log-store.ts";
import type { Window } from "../matches/finding.ts";

/** The interface to the log store that the executor needs. A window is a range of ingest time. */
export interface LogReader {
  /** Newest first. */
  search(condition: Condition, window: Window, limit: number, signal?: AbortSignal): Promise<LogEvent[]>;
  count(condition: Condition, window: Window, maxCount: number, signal?: AbortSignal): Promise<number>;
  /** Returns blocks, each read on demand. */
  stream(condition: Condition, window: Window, limit: number, signal?: AbortSignal): AsyncIterable<LogEvent[]>;
}

export interface Reading {
  logs: LogReader;
  window: Window;
  condition: Condition;
  signal?: AbortSignal;
}

/** Reads for the platform itself, or for the requesting user. */
export type ReadLogs = (scope: Scope) => LogReader;

export function createLogReader(logs: Pick<LogReads, "search" | "count" | "stream">, scope: Scope): LogReader {
  const selected = (condition: Condition, { from, to }: Window): LogSelection => ({
    scope,
    where: toSql(condition),
    time: "ingested_at",
    from,
    to,
  });
  return {
    search: async (condition, window, limit, signal) =>
      logs.search({ ...selected(condition, window), order: "newest", limit }, signal),
    count: async (condition, window, maxCount, signal) => logs.count(selected(condition, window), maxCount, signal),
    stream: (condition, window, limit, signal) =>
      logs.stream({ ...selected(condition, window), order: "newest", limit }, signal),
  };
}

/** The same for logs in memory. */
export function createShowcaseLogReader(logs: readonly LogEvent[]): LogReader {
  function found(condition: Condition, { from, to }: Window): LogEvent[] {
    const isWanted = toPredicate(condition);
    const [first, end] = [from.toISOString(), to.toISOString()];
    return logs
      .filter((log) => log.ingested_at >= first && log.ingested_at < end && isWanted(log))
      .toSorted((a, b) => (a.ingested_at < b.ingested_at ? 1 : -1));
  }

  return {
    search: async (condition, window, limit) => found(condition, window).slice(0, limit),
    count: async (condition, window, maxCount) => Math.min(found(condition, window).length, maxCount),
    async *stream(condition, window, limit) {
      yield found(condition, window).slice(0, limit);
    },
  };
}
