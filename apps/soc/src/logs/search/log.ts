export const LOG_SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;
export type LogSeverity = (typeof LOG_SEVERITIES)[number];

/** One event as it is kept and answered. Instants are ISO 8601 with milliseconds, in UTC; what is unknown is `""`, 0 or {}. */
export interface LogEvent {
  id: string;
  timestamp: string;
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
  /** What has no field of its own, under the names it came with: strings, numbers, booleans, lists of them, and objects. */
  attributes: Readonly<Record<string, unknown>>;
}

export type LogField = Exclude<keyof LogEvent, "attributes">;

/** A log's fields in the order in which they are declared: the columns of its table, and of an export. */
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
] as const satisfies readonly (keyof LogEvent)[];
