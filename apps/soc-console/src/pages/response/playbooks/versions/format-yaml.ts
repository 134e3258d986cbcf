const PLAIN = /^[A-Za-z][\w ./@-]*$/;
const RESERVED = /^(?:true|false|null|yes|no|on|off)$/i;

/**
 * Formats a value as YAML with one value per line, so that two versions can be compared line by line. Null, empty text
 * and empty lists are omitted.
 */
export function formatYaml(value: unknown, indent = ""): string {
  if (Array.isArray(value)) return value.map((item) => formatItem(item, indent)).join("");
  if (!isRecord(value)) return `${indent}${formatScalar(value)}\n`;
  return Object.entries(value)
    .filter(([, each]) => !isEmpty(each))
    .map(([name, each]) => formatField(name, each, indent))
    .join("");
}

function formatField(name: string, value: unknown, indent: string): string {
  if (typeof value === "object" && value !== null) return `${indent}${name}:\n${formatYaml(value, `${indent}  `)}`;
  return `${indent}${name}: ${formatScalar(value)}\n`;
}

function formatItem(item: unknown, indent: string): string {
  const text = formatYaml(item, `${indent}  `);
  return text === "" ? "" : `${indent}- ${text.slice(indent.length + 2)}`;
}

function formatScalar(value: unknown): string {
  if (typeof value === "string" && PLAIN.test(value) && !RESERVED.test(value) && value === value.trim()) return value;
  return JSON.stringify(value) ?? "";
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
