const LONE_SURROGATE = /\p{Surrogate}/u;

/** RFC 8785: one canonical text for a value, so that a hash of the text is a hash of the value. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (value instanceof Date) return JSON.stringify(value);
  if (typeof value === "object" && value !== null) return canonicalObject(value);
  if (typeof value === "string") return canonicalText(value);
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON`);
  if (typeof value === "number" || typeof value === "boolean" || value === null) return JSON.stringify(value);
  throw new TypeError(`${typeof value} cannot be written as JSON`);
}

function canonicalObject(value: object): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    // By UTF-16 code units (section 3.2.3), which is how JavaScript compares text.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${canonicalText(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

function canonicalText(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new TypeError("a lone surrogate cannot be written as JSON");
  return JSON.stringify(text);
}
