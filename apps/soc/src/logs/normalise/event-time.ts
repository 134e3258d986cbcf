import type { LogEvent } from "../../ports/log-event.ts";
import { NAMES_OF } from "./event-names.ts";
import { type Fields, parsePath, valueAt } from "./event-path.ts";

/** Converts a local time, given as if it were UTC, to the instant; both in epoch milliseconds. */
export type ToInstant = (localMs: number) => number;

type EventTime = Pick<LogEvent, "timestamp" | "timestamp_origin">;

/** The first valid time is used. */
const FINDERS: readonly ((fields: Fields) => unknown)[] = [
  ...NAMES_OF.timestamp.map(parsePath).map((path) => (fields: Fields) => valueAt(fields, path)),
  joinDayAndTime,
];
const EARLIEST_MS = Date.UTC(1970, 0, 1);
/** A clock is rarely off by more, and a log in the far future would be the newest of its source for years. */
const MAX_AHEAD_MS = 24 * 60 * 60_000;

const asUtc: ToInstant = (localMs) => localMs;

/**
 * The arrival replaces a time that is missing, unreadable or more than a day ahead. `toInstant` converts a time without
 * a zone.
 */
export function readEventTime(fields: Fields, ingested_at: string, toInstant = asUtc): EventTime {
  const latestMs = Date.parse(ingested_at) + MAX_AHEAD_MS;
  for (const find of FINDERS) {
    const value = find(fields);
    const isCanonical = typeof value === "string" && CANONICAL.test(value);
    const epochMs = isCanonical ? Date.parse(value) : parseTime(value, toInstant);
    if (epochMs >= EARLIEST_MS && epochMs <= latestMs) {
      return { timestamp: isCanonical ? value : new Date(epochMs).toISOString(), timestamp_origin: "event" };
    }
  }
  return { timestamp: ingested_at, timestamp_origin: "arrival" };
}

/** The W3C format, which IIS writes, has separate fields for the day and the time, both in UTC. */
function joinDayAndTime({ date, time }: Fields): unknown {
  return typeof date === "string" && typeof time === "string" ? `${date} ${time}` : undefined;
}

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;
// 10/Oct/2000:13:55:36 -0700, as web servers write it.
const WEB_SERVER = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d)(?:\s([+-]\d{4}))?$/;
const EPOCH = /^\d{9,19}(?:\.\d+)?$/;

/** NaN if the value is not a time. */
function parseTime(value: unknown, toInstant: ToInstant): number {
  if (typeof value === "number") return parseEpoch(value);
  return typeof value === "string" ? parseInstant(value, toInstant) : Number.NaN;
}

function parseInstant(value: string, toInstant: ToInstant): number {
  const [, day, time, fraction = "", zone] = ISO.exec(value) ?? [];
  if (day !== undefined && time !== undefined) {
    const epochMs = parseParts(day, time, fraction, zone ?? "Z");
    return zone === undefined ? toInstant(epochMs) : epochMs;
  }
  const [, date, month, year, clock, offset] = WEB_SERVER.exec(value) ?? [];
  if (clock !== undefined) {
    const epochMs = Date.parse(`${date} ${month} ${year} ${clock} ${offset ?? "Z"}`);
    return offset === undefined ? toInstant(epochMs) : epochMs;
  }
  if (EPOCH.test(value)) return parseEpoch(Number(value));
  return HAS_ZONE.test(value) ? Date.parse(value) : Number.NaN;
}

const HAS_ZONE = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/;

function parseParts(day: string, time: string, fraction: string, zone: string): number {
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  return Date.parse(`${day}T${time}.${milliseconds}${/^[+-]/.test(zone) ? zone : "Z"}`);
}

const MAX_SECONDS = 1e11;
const MAX_MILLISECONDS = 1e14;
const MAX_MICROSECONDS = 1e17;

/** Seconds, milliseconds, microseconds or nanoseconds: their ranges differ by more than any clock error. */
function parseEpoch(value: number): number {
  return Math.round(value * scaleOf(value));
}

function scaleOf(value: number): number {
  if (value < MAX_SECONDS) return 1000;
  if (value < MAX_MILLISECONDS) return 1;
  return value < MAX_MICROSECONDS ? 1e-3 : 1e-6;
}
