export type FieldKind = "text" | "long text" | "id" | "instant" | "severity" | "address" | "port";

/** The kind of value in each field of a log, in the order of the columns. */
export const FIELD_KINDS = {
  id: "id",
  timestamp: "instant",
  ingested_at: "instant",
  site: "text",
  source: "text",
  host: "text",
  severity: "severity",
  event_code: "text",
  action: "text",
  outcome: "text",
  user: "text",
  src_ip: "address",
  dst_ip: "address",
  src_port: "port",
  dst_port: "port",
  process: "text",
  message: "long text",
  raw: "long text",
  timestamp_origin: "text",
} as const satisfies Readonly<Record<string, FieldKind>>;

export type LogField = keyof typeof FIELD_KINDS;

/** The severities of a log, the highest first. */
export const QUERY_SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;

export function isLogField(name: string): name is LogField {
  return Object.hasOwn(FIELD_KINDS, name);
}
