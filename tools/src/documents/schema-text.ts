import { isRecord, toArray } from "./json.ts";

const INDENT = "  ";
/** A deeper object is written as `object`; the OpenAPI file contains the rest. */
const MAX_DEPTH = 6;

/** Formats a JSON schema in TypeScript notation, with its limits as comments. */
export function formatSchema(schema: unknown, depth = 0): string {
  if (!isRecord(schema)) return "any";
  const alternatives = toArray(schema.anyOf ?? schema.oneOf ?? schema.allOf);
  const sign = schema.allOf === undefined ? " | " : " & ";
  if (alternatives.length > 0) return alternatives.map((each) => formatSchema(each, depth)).join(sign);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return toArray(schema.enum)
      .map((each) => JSON.stringify(each))
      .join(" | ");
  if (schema.type === "array") return formatArray(schema, depth);
  if (schema.type === "object") return formatObject(schema, depth);
  return [schema.type ?? "any"].flat().map(String).join(" | ");
}

function formatArray({ items }: Record<string, unknown>, depth: number): string {
  const each = formatSchema(items, depth);
  return /[|&]/.test(each) && !each.startsWith("{") ? `(${each})[]` : `${each}[]`;
}

function formatObject(schema: Record<string, unknown>, depth: number): string {
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const patterns = isRecord(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  if (depth >= MAX_DEPTH || properties.length + patterns.length === 0) return "object";
  const required = toArray(schema.required);
  const inner = INDENT.repeat(depth + 1);
  const lines = [
    ...properties.map(([name, each]) => {
      const sign = required.includes(name) ? "" : "?";
      return `${inner}${name}${sign}: ${formatSchema(each, depth + 1)};${formatComment(each)}`;
    }),
    ...patterns.map((each) => `${inner}[name]: ${formatSchema(each, depth + 1)};${formatComment(each)}`),
  ];
  return `{\n${lines.join("\n")}\n${INDENT.repeat(depth)}}`;
}

function formatComment(schema: unknown): string {
  const limits = formatLimits(schema);
  return limits === "" ? "" : ` // ${limits}`;
}

/** Describes the constraints of a schema beyond its type. */
export function formatLimits(schema: unknown): string {
  if (!isRecord(schema)) return "";
  const { description, format, pattern, items } = schema;
  const parts = [
    typeof description === "string" ? description : "",
    typeof format === "string" ? format : "",
    formatRange(schema.minLength, schema.maxLength, "characters"),
    formatRange(schema.minimum, schema.maximum, ""),
    formatRange(schema.minItems, schema.maxItems, "items"),
    typeof pattern === "string" ? pattern : "",
    isRecord(items) && items.type !== "object" ? formatLimits(items) : "",
  ];
  return parts.filter((part) => part !== "").join("; ");
}

function formatRange(least: unknown, most: unknown, unit: string): string {
  const [from, to] = [formatNumber(least), formatNumber(most)];
  if (from === "" && to === "") return "";
  const range = from === "" ? `at most ${to}` : to === "" ? `at least ${from}` : `${from} to ${to}`;
  return `${range} ${unit}`.trim();
}

function formatNumber(value: unknown): string {
  return typeof value === "number" ? String(value) : "";
}
