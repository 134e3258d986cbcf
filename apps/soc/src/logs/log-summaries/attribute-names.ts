/** The kinds of values that an attribute can have. */
export type AttributeType = "text" | "number" | "boolean" | "list";

export interface Attribute {
  /** The path to the attribute, joined by dots. */
  name: string;
  type: AttributeType;
  /** As text. Elements of a list other than strings, numbers and booleans are omitted. */
  values: readonly string[];
}

/** The attributes of a log that have a value. */
export function listAttributes(holder: object, prefix = ""): Attribute[] {
  return Object.entries(holder).flatMap(([key, value]: [string, unknown]): Attribute[] => {
    const name = `${prefix}${key}`;
    if (Array.isArray(value)) return [{ name, type: "list", values: value.flatMap(toText) }];
    if (typeof value === "object" && value !== null) return listAttributes(value, `${name}.`);
    const type = TYPES[typeof value];
    return type === undefined ? [] : [{ name, type, values: toText(value) }];
  });
}

function toText(value: unknown): string[] {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
}

const TYPES: Readonly<Record<string, AttributeType>> = { string: "text", number: "number", boolean: "boolean" };
