/** RFC 8785: one text for a value, so that a hash of the text is a hash of the value. Throws for what JSON cannot carry. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (typeof value === "object" && value !== null) return canonicalObject(value);
  if (typeof value === "string") return canonicalText(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === "boolean" || value === null) return JSON.stringify(value);
  throw new TypeError(`${typeof value} cannot be written as JSON`);
}

function canonicalObject(value: object): string {
  const members = Object.entries(value)
    // Section 3.2.3: by UTF-16 code units, which is how JavaScript compares text.
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${canonicalText(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

function canonicalText(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new TypeError("a lone surrogate cannot be written as JSON");
  return JSON.stringify(text);
}
