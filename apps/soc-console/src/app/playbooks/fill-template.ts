/** The values that parameters of a step can reference. */
export type TemplateScope = Readonly<Partial<Record<"alert" | "case" | "parameters" | "steps" | "execution", unknown>>>;

const PLACEHOLDER = /\{((?:alert|case|parameters|steps|execution)(?:\.[A-Za-z0-9_-]{1,100}){1,5})\}/g;
const ONLY = new RegExp(`^${PLACEHOLDER.source}$`);

/** The fields that a template references, such as `steps.search.total`. */
export function listPlaceholders(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(PLACEHOLDER)].map(([, path = ""]) => path);
  return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(listPlaceholders) : [];
}

/**
 * Fills the placeholders of a step as the service does: in one pass; a text that is only a placeholder becomes the
 * value itself; fields without a value are omitted.
 */
export function fillTemplate(value: unknown, scope: TemplateScope): unknown {
  if (typeof value === "string") return fillText(value, scope);
  if (Array.isArray(value)) return value.flatMap((each) => toItems(fillTemplate(each, scope)));
  if (!isRecord(value)) return value;
  const filled = Object.entries(value).map(([name, each]) => [name, fillTemplate(each, scope)] as const);
  return Object.fromEntries(filled.filter(([, each]) => each !== undefined && each !== null));
}

function toItems(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function fillText(text: string, scope: TemplateScope): unknown {
  const only = ONLY.exec(text)?.[1];
  if (only !== undefined) return findValue(scope, only);
  return text.replaceAll(PLACEHOLDER, (_, path: string) => toText(findValue(scope, path)));
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(toText).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function findValue(scope: TemplateScope, path: string): unknown {
  let value: unknown = scope;
  for (const name of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
