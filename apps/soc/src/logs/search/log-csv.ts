import { LOG_COLUMNS, type LogEvent } from "./log.ts";

const NEEDS_QUOTES = /[",\r\n]/;
// A spreadsheet runs what begins so, and what stands in a log may be written by anybody.
const IS_FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180: the line that names the columns. */
export const CSV_HEAD = `${LOG_COLUMNS.join(",")}\r\n`;

/** A text that a spreadsheet would take for a formula gets an apostrophe before it; JSON lines have every log as it is. */
export function formatCsvLine(log: LogEvent): string {
  return `${LOG_COLUMNS.map((name) => toCsvCell(log[name])).join(",")}\r\n`;
}

function toCsvCell(value: LogEvent[keyof LogEvent]): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const harmless = IS_FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
