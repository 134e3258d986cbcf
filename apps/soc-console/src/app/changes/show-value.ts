/** Formats a value of a record in one line. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((item) => showValue(item)).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
