import { formatCsvLine as formatLine } from "../../foundation/lists/csv.ts";
import { LOG_COLUMNS, type LogEvent } from "../../ports/log-event.ts";
import { toLogBody } from "./log-body.ts";

export const CSV_HEAD = formatLine(LOG_COLUMNS);

/** Escapes formulas; only JSON lines contain every log unchanged. */
export function formatCsvLine(log: LogEvent): string {
  const body = toLogBody(log);
  return formatLine(LOG_COLUMNS.map((name) => body[name] ?? ""));
}
