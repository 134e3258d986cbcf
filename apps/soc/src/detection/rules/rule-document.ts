import { invalidField } from "@kit/problem";
import Value from "typebox/value";
import { stringify } from "yaml";
import { type ParseFields, parseYamlFields } from "../sigma/sigma-yaml.ts";
import type { RuleRow } from "./rule.ts";
import { DEFINITION } from "./rule-source.ts";
import { RuleDocument } from "./rules.schema.ts";

/** The number of the format, which also distinguishes such a document from a Sigma rule. */
const DOCUMENT_FORMAT = 1;
const MARK = /^manara_rule[ \t]*:/m;

type DocumentedRule = Pick<
  RuleRow,
  "id" | "sharing_mode" | "shared_with_roles" | "overlay" | "sigma_yaml" | (typeof DEFINITION)[number]
>;

/**
 * Formats the whole rule as one YAML document: for an imported rule its imported text and later changes, for any other
 * rule its fields.
 */
export function formatDocument(rule: DocumentedRule): string {
  const { id, enabled, sharing_mode, shared_with_roles, overlay, sigma_yaml } = rule;
  const names = sigma_yaml === null ? DEFINITION : DEFINITION.filter((name) => overlay.includes(name));
  const fields = {
    manara_rule: DOCUMENT_FORMAT,
    id,
    enabled,
    ...Object.fromEntries(names.map((name) => [name, name === "threshold" ? sortKeys(rule.threshold) : rule[name]])),
    sharing_mode,
    ...(sharing_mode === "roles" && { shared_with_roles }),
    ...(sigma_yaml !== null && { sigma: sigma_yaml }),
  };
  // Without folding, so that a line of a query is a line of a diff.
  return stringify(fields, { lineWidth: 0, blockQuote: "literal" });
}

/** The database does not preserve the order of keys. */
function sortKeys(details: RuleRow["threshold"]) {
  return details && Object.fromEntries(Object.entries(details).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export function isRuleDocument(yaml: string): boolean {
  return MARK.test(yaml);
}

/** The text may have lost its final line break, which belongs to the Sigma rule at its end. */
export function completeDocument(yaml: string): string {
  return `${yaml}\n`;
}

/**
 * Parses a document that formatDocument wrote, or that a person wrote in the same format. Omitted fields have their
 * defaults.
 */
export function parseDocument(yaml: string, parse: ParseFields = parseYamlFields): RuleDocument {
  const given = parse(completeDocument(yaml), false);
  if (Value.Check(RuleDocument, given)) return given;
  const [error] = Value.Errors(RuleDocument, given);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(RuleDocument.properties, name));
  if (unknown !== undefined) throw invalidField(unknown, "is not a field of a rule");
  const field = (error?.instancePath ?? "").slice(1).replaceAll("/", ".");
  throw invalidField(field === "" ? "yaml" : field, error?.message ?? "is not a rule");
}
