/** A term of the query language that matches exactly this value. */
export function formatTerm(field: string, value: string): string {
  return `${field}:${quoteText(value)}`;
}

/** Within quotes only two characters are special. */
export function quoteText(value: string): string {
  return `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}
