export type Fields = Readonly<Record<string, unknown>>;
export type Path = readonly [string, ...string[]];

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function parsePath(name: string): Path {
  const [first = "", ...rest] = name.split(".");
  return [first, ...rest];
}

export function valueAt(fields: Fields, path: Path): unknown {
  let value: unknown = fields;
  for (const name of path) {
    if (!isFields(value)) return undefined;
    value = value[name];
  }
  return value;
}

/** Windows writes "-" for an empty value. For a list, the first value is used. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value === "-" ? "" : value;
  if (typeof value === "number") return String(value);
  return Array.isArray(value) && value.length > 0 && !Array.isArray(value[0]) ? toText(value[0]) : "";
}
