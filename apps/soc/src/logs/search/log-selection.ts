import { invalidField } from "@kit/problem";
import type { Condition } from "@kit/query/condition";
import { parseQuery } from "@kit/query/query";
import { parseSpan } from "@kit/query/query-instant";
import type { Scope } from "../../foundation/caller/caller.ts";
import { decodeCursor, encodeCursor } from "../../foundation/lists/page.ts";
import type { LogEvent, LogSeverity } from "../../ports/log-event.ts";
import type { MissingStores } from "../../ports/log-store.ts";
import type { LogWindowQuery } from "./logs.schema.ts";

/** The filter of a search or a hunt. Each filter field means the same as `field:"value"` in the query. */
export interface LogFilter {
  query?: string | null;
  source?: string | null;
  host?: string | null;
  severity?: LogSeverity | null;
}

export interface LogWindow {
  from: Date;
  /** Exclusive. */
  to: Date;
}

export interface LogsSelection extends LogWindow {
  scope: Scope;
  condition: Condition;
  missing?: MissingStores;
}

/** The log after which the next page begins, and the time of the request for the first page. */
export interface LogsPlace {
  timestamp: string;
  id: string;
  now: Date;
}

const DAY_MS = 24 * 60 * 60_000;
// The range of a log's timestamp; an instant outside it is replaced by the nearest bound.
const FIRST_MS = Date.UTC(1900, 0, 1);
const LAST_MS = Date.UTC(2299, 11, 31, 23, 59, 59, 999);
const NEWEST_FIRST = "-timestamp";
const IS_DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function buildLogSelection(scope: Scope, asked: LogFilter & LogWindowQuery, now: Date): LogsSelection {
  return { scope, condition: buildLogCondition(asked, now), ...parseWindow(asked, now) };
}

export function buildLogCondition({ query, source, host, severity }: LogFilter, now: Date): Condition {
  const filters = [
    { name: "source", text: source },
    { name: "host", text: host },
    { name: "severity", text: severity },
  ] as const;
  const of = filters.flatMap(({ name, text }): Condition[] =>
    text === undefined || text === null
      ? []
      : [{ kind: "text", field: { name }, pattern: [{ text }], isCased: name === "severity" }],
  );
  const wanted = parseQuery(query ?? "", { now });
  if (of.length === 0) return wanted;
  return { kind: "and", of: [wanted, ...of] };
}

/** The last 24 hours, unless a bound is given. */
function parseWindow({ from, to }: LogWindowQuery, now: Date): LogWindow {
  const end = to === undefined ? now : parseWindowTime("to", to, now);
  const start = from === undefined ? new Date(end.getTime() - DAY_MS) : parseWindowTime("from", from, now);
  if (start >= end) throw invalidField("from", "must be earlier than to");
  return { from: start, to: end };
}

/** Parses a bound of a window. A day starts at midnight UTC; as the end of a window, the whole day is included. */
export function parseWindowTime(bound: "from" | "to", text: string, now: Date): Date {
  const span = parseSpan(text, now.getTime());
  if (!span) {
    throw invalidField(bound, `must be an instant, a day such as 2026-05-31, or a time such as now-1h, not '${text}'`);
  }
  const ms = bound === "to" && IS_DAY.test(text) ? span.to : span.from;
  return new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS));
}

/** The condition that matches exactly this log. */
export function isLog(log_id: string): Condition {
  return { kind: "text", field: { name: "id" }, pattern: [{ text: log_id }], isCased: true };
}

/**
 * The cursor contains the current time: if each page computed it again, the window of the last 24 hours would move
 * while the client reads.
 */
export function cursorAt({ timestamp, id }: Pick<LogEvent, "timestamp" | "id">, now: Date): string {
  return encodeCursor(NEWEST_FIRST, [timestamp, id, now.toISOString()]);
}

export function placeAt(cursor: string): LogsPlace {
  const [timestamp, id, now] = decodeCursor(NEWEST_FIRST, cursor);
  if (!isInstant(timestamp) || typeof id !== "string" || !isInstant(now)) {
    throw invalidField("cursor", "must come from this list with the same order");
  }
  return { timestamp, id, now: new Date(now) };
}

function isInstant(value: unknown): value is string {
  return typeof value === "string" && INSTANT.test(value) && !Number.isNaN(Date.parse(value));
}
