import type { Condition } from "@kit/query/condition";
import type { Scope } from "../../foundation/caller/caller.ts";
import { isLog, toSql } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogReads, LogSelection } from "../../ports/log-store.ts";
import type { Span } from "./event-reader.ts";
import type { LogSearches } from "./log-event-reader.ts";

const DAY_MS = 24 * 60 * 60_000;
const FIND_BATCH_SIZE = 100;
const MAX_FOUND = 5000;
const BEGINNING = new Date(0);
const END = new Date(Date.UTC(2299, 11, 31));
const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Searches the logs of these sites for an investigation. */
export function createLogSearches(
  logs: Pick<LogReads, "search" | "count">,
  scope: Scope,
  signal?: AbortSignal,
): LogSearches {
  const select = (condition: Condition, { from, to }: Span): LogSelection => ({
    scope,
    where: toSql(condition),
    time: "timestamp",
    from,
    to,
  });

  async function findBatch(log_ids: readonly string[]): Promise<LogEvent[]> {
    const condition: Condition = { kind: "or", of: log_ids.map(isLog) };
    const where = toSql(condition);
    const search = { scope, where, time: "ingested_at", order: "oldest", limit: log_ids.length } as const;
    const near = await logs.search({ ...search, ...nearby(log_ids) }, signal);
    return near.length === log_ids.length ? near : logs.search({ ...search, from: BEGINNING, to: END }, signal);
  }

  return {
    search: (condition, span, order, limit) => logs.search({ ...select(condition, span), order, limit }, signal),

    exists: async (condition, span) => (await logs.count(select(condition, span), 1, signal)) > 0,

    async find(log_ids) {
      const wanted = [...new Set(log_ids)].slice(0, MAX_FOUND);
      const found: LogEvent[] = [];
      for (let at = 0; at < wanted.length; at += FIND_BATCH_SIZE) {
        found.push(...(await findBatch(wanted.slice(at, at + FIND_BATCH_SIZE))));
      }
      return found;
    },
  };
}

/** Derives probable ingest times from the ids that contain one, because a search over all time takes much longer. */
function nearby(log_ids: readonly string[]): { from: Date; to: Date } {
  const times = log_ids.flatMap((id) =>
    VERSION_7.test(id) ? [Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)] : [],
  );
  if (times.length < log_ids.length) return { from: BEGINNING, to: END };
  const first = Math.max(0, Math.min(...times) - DAY_MS);
  const last = Math.min(END.getTime(), Math.max(...times) + DAY_MS);
  return first < last ? { from: new Date(first), to: new Date(last) } : { from: BEGINNING, to: END };
}
