/** The values that a step can refer to: data read before the step started. */
export interface Scope {
  alert: Readonly<Record<string, unknown>>;
  case: Readonly<Record<string, unknown>>;
  parameters: Readonly<Record<string, unknown>>;
  /** The status and result of each step by id. */
  steps: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  execution: Readonly<Record<string, unknown>>;
}

export const SCOPE_NAMES = [
  "alert",
  "case",
  "parameters",
  "steps",
  "execution",
] as const satisfies readonly (keyof Scope)[];

const PLACEHOLDER = /\{((?:alert|case|parameters|steps|execution)(?:\.[A-Za-z0-9_-]{1,100}){1,5})\}/g;
const ONLY = new RegExp(`^${PLACEHOLDER.source}$`);

/** Returns the fields that a template refers to, such as `steps.search.total`. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(PLACEHOLDER)].map(([, path = ""]) => path);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(placeholdersIn);
}

/**
 * Fills the placeholders of every text in one pass: a value that looks like a placeholder is not filled again, and
 * nothing is evaluated. A text that is a single placeholder becomes the value itself; fields without a value are
 * omitted.
 */
export function fill(template: Record<string, unknown>, scope: Scope): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, value]) => [name, filled(value, scope)] as const)
      .filter(([, value]) => value !== undefined && value !== null),
  );
}

function filled(value: unknown, scope: Scope): unknown {
  if (typeof value === "string") return filledText(value, scope);
  if (Array.isArray(value)) return value.flatMap((each) => listed(filled(each, scope)));
  return isRecord(value) ? fill(value, scope) : value;
}

/** A list inside a list is flattened. */
function listed(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function filledText(text: string, scope: Scope): unknown {
  const only = ONLY.exec(text)?.[1];
  if (only !== undefined) return valueAt(scope, only);
  return text.replaceAll(PLACEHOLDER, (_, path: string) => formatText(valueAt(scope, path)));
}

function formatText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(formatText).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the value at a path such as `alert.host`; undefined if there is none. */
export function valueAt(scope: Partial<Scope>, path: string): unknown {
  let value: unknown = scope;
  for (const name of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the fields as in a JSON response: times are strings. */
export function toJsonFields(record: object | undefined): Record<string, unknown> {
  const fields: unknown = record === undefined ? {} : JSON.parse(JSON.stringify(record));
  return isRecord(fields) ? fields : {};
}
