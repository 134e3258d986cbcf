const NEEDS_QUOTES = /[",\r\n]/;
// A spreadsheet executes text that starts like this, and names and logs come from untrusted senders.
const IS_FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180: one line. A text that a spreadsheet would read as a formula gets a leading apostrophe. */
export function formatCsvLine(values: readonly (string | number | Date | object)[]): string {
  return `${values.map(toCsvCell).join(",")}\r\n`;
}

function toCsvCell(value: string | number | Date | object): string {
  const text = formatValue(value);
  const escaped = IS_FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

function formatValue(value: string | number | Date | object): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
