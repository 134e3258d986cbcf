import { LOG_COLUMNS, type LogEvent } from "./log.ts";
import { toLogBody } from "./log-body.ts";

const NEEDS_QUOTES = /[",\r\n]/;
// A spreadsheet executes text that starts like this, and the content of a log comes from untrusted senders.
const IS_FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180: the header line. */
export const CSV_HEAD = `${LOG_COLUMNS.join(",")}\r\n`;

/**
 * A text that a spreadsheet would read as a formula gets a leading apostrophe; JSON lines contain every log unchanged.
 */
export function formatCsvLine(log: LogEvent): string {
  const body = toLogBody(log);
  return `${LOG_COLUMNS.map((name) => toCsvCell(body[name] ?? "")).join(",")}\r\n`;
}

function toCsvCell(value: string | number | object): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const escaped = IS_FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
