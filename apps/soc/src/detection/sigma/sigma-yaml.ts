import { invalidField, Problem } from "@kit/problem";
import { parseOwnYaml } from "../../foundation/yaml/local-yaml.ts";
import type { YamlDocument } from "../../foundation/yaml/yaml.ts";

/** The fields of a Sigma document, or of one of its parts. */
export type Fields = Readonly<Record<string, unknown>>;

const SEPARATOR = /^---(?:[ \t].*)?\r?$/m;

/** Splits a text into its YAML documents. */
export function splitDocuments(text: string): string[] {
  return text
    .split(SEPARATOR)
    .map((yaml) => yaml.trim())
    .filter((yaml) => yaml !== "");
}

/** Parses one YAML document that must be a map. Integers may exceed the exact range of a number. */
export type ParseFields = (yamlText: string, intAsBigInt?: boolean) => Fields;

/** For rules that are stored, or in a folder of the caller's own machine. */
export const parseYamlFields: ParseFields = (yamlText, intAsBigInt = true) =>
  toFields(parseOwnYaml(yamlText, { intAsBigInt }));

export function toFields([document, ...others]: readonly YamlDocument[]): Fields {
  if (others.length > 0) throw refused("yaml", "must be one document; separate documents with ---");
  if (!isFields(document?.value)) throw refused("yaml", "must be a rule with title, logsource and detection");
  return document.value;
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
