import type { Static } from "typebox";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogBody } from "./logs.schema.ts";

/** Converts a log to its API form: an unknown value is null, as in every other record. */
export function toLogBody(log: LogEvent): Static<typeof LogBody> {
  return {
    ...log,
    site: log.site || null,
    host: log.host || null,
    event_code: log.event_code || null,
    action: log.action || null,
    outcome: log.outcome || null,
    user: log.user || null,
    src_ip: log.src_ip || null,
    dst_ip: log.dst_ip || null,
    src_port: log.src_port || null,
    dst_port: log.dst_port || null,
    process: log.process || null,
    message: log.message || null,
  };
}
