import { invalidField, Problem } from "@kit/problem";
import { parseDocument } from "yaml";

/** The fields of a Sigma document, or of one of its parts. */
export type Fields = Readonly<Record<string, unknown>>;

const MAX_ALIASES = 20;
const SEPARATOR = /^---(?:[ \t].*)?\r?$/m;

/** Splits a text into its YAML documents. */
export function splitDocuments(text: string): string[] {
  return text
    .split(SEPARATOR)
    .map((yaml) => yaml.trim())
    .filter((yaml) => yaml !== "");
}

/** Parses one YAML document that must be a map. Integers may exceed the exact range of a number. */
export function parseYamlFields(yamlText: string, intAsBigInt = true): Fields {
  const document = parseDocument(yamlText, { intAsBigInt });
  const [error] = document.errors;
  if (error) throw refused("yaml", error.message.split("\n", 1)[0] ?? "");
  const value: unknown = attemptAliases(() => document.toJS({ maxAliasCount: MAX_ALIASES }));
  if (!isFields(value)) throw refused("yaml", "must be a rule with title, logsource and detection");
  return value;
}

function attemptAliases(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReferenceError) throw refused("yaml", "has too many or unknown aliases");
    throw error;
  }
}

/** Continues after a refusal, so that all reasons are reported together. */
export function attempt<Result>(reasons: string[], read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    reasons.push(error.message);
    return undefined;
  }
}

export function textAt(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" || typeof value === "bigint" ? String(value).trim() : "";
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function refused(field: string, why: string): Problem {
  return invalidField(field, why);
}
