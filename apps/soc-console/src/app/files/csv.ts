/** Spreadsheets treat a cell with this prefix as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const SPECIAL = /[",\r\n]/;

/** Rows as CSV (RFC 4180). A cell that a spreadsheet would treat as a formula gets an apostrophe as prefix. */
export function formatCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(formatField).join(",")}\r\n`).join("");
}

function formatField(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
