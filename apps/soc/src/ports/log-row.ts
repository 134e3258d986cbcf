import { LOG_SEVERITIES, type LogEvent } from "./log-event.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MAX_PORT = 65_535;
const SEVERITIES: ReadonlySet<string> = new Set(LOG_SEVERITIES);

/** Returns why the log store would refuse this log or change it silently; undefined if the log can be stored. */
export function findRowProblem(log: LogEvent): string | undefined {
  for (const name of ["src_port", "dst_port"] as const) {
    const port = log[name];
    // The engine would silently keep only the lower 16 bits.
    if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
      return `${name}: must be an integer from 0 to ${MAX_PORT}`;
    }
  }
  for (const name of ["timestamp", "ingested_at"] as const) {
    if (!isInstant(log[name])) return `${name}: must be an instant in UTC with milliseconds`;
  }
  return SEVERITIES.has(log.severity) ? undefined : `severity: must be one of ${LOG_SEVERITIES.join(", ")}`;
}

function isInstant(text: string): boolean {
  return INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}
