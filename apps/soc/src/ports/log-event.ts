import { QUERY_SEVERITIES } from "@kit/query/log-field";

export const LOG_SEVERITIES = QUERY_SEVERITIES;
export type LogSeverity = (typeof LOG_SEVERITIES)[number];

/**
 * One event as stored and returned. Instants are ISO 8601 with milliseconds, in UTC; an unknown value is `""`, 0 or {}.
 */
export interface LogEvent {
  id: string;
  timestamp: string;
  /** Whether the event contains its own time; otherwise its timestamp is the time of arrival. */
  timestamp_origin: "event" | "arrival";
  ingested_at: string;
  site: string;
  source: string;
  host: string;
  severity: LogSeverity;
  event_code: string;
  action: string;
  outcome: string;
  user: string;
  src_ip: string;
  dst_ip: string;
  src_port: number;
  dst_port: number;
  process: string;
  message: string;
  raw: string;
  /**
   * Data without a field of its own, under its original names: strings, numbers, booleans, lists of them, and objects.
   */
  attributes: Readonly<Record<string, unknown>>;
}

/** A log with all values unknown, for conditions on records that are read as a log. */
export const EMPTY_LOG: LogEvent = {
  id: "",
  timestamp: "",
  timestamp_origin: "event",
  ingested_at: "",
  site: "",
  source: "",
  host: "",
  severity: "info",
  event_code: "",
  action: "",
  outcome: "",
  user: "",
  src_ip: "",
  dst_ip: "",
  src_port: 0,
  dst_port: 0,
  process: "",
  message: "",
  raw: "",
  attributes: {},
};

export type LogField = Exclude<keyof LogEvent, "attributes">;

/** The fields of a log in order of declaration: the columns of its table and of an export. */
export const LOG_COLUMNS = [
  "id",
  "timestamp",
  "ingested_at",
  "site",
  "source",
  "host",
  "severity",
  "event_code",
  "action",
  "outcome",
  "user",
  "src_ip",
  "dst_ip",
  "src_port",
  "dst_port",
  "process",
  "message",
  "raw",
  "attributes",
  "timestamp_origin",
] as const satisfies readonly (keyof LogEvent)[];
