const NEEDS_QUOTES = /[",\r\n]/;
// A spreadsheet runs text with this prefix as a formula, and names and logs come from untrusted senders.
const IS_FORMULA = /^[=+\-@\t\r]/;

/** Formats one line of RFC 4180. Text that a spreadsheet would read as a formula gets a leading apostrophe. */
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
