import { stringify } from "yaml";
import type { RuleRow } from "./rule.ts";
import { DEFINITION } from "./rule-source.ts";

/** The number of the format, which is also the mark of such a document among Sigma rules. */
export const DOCUMENT_FORMAT = 1;

export type DocumentedRule = Pick<
  RuleRow,
  "id" | "sharing_mode" | "shared_with_roles" | "overlay" | "sigma_yaml" | (typeof DEFINITION)[number]
>;

/**
 * The whole rule as one YAML document: of an imported rule the text as it was imported and what was changed since; of a
 * rule that was created here its fields.
 */
export function formatDocument(rule: DocumentedRule): string {
  const { id, enabled, sharing_mode, shared_with_roles, overlay, sigma_yaml } = rule;
  const names = sigma_yaml === null ? DEFINITION : DEFINITION.filter((name) => overlay.includes(name));
  const fields = {
    manara_rule: DOCUMENT_FORMAT,
    id,
    enabled,
    ...Object.fromEntries(names.map((name) => [name, rule[name]])),
    sharing_mode,
    ...(sharing_mode === "roles" && { shared_with_roles }),
    ...(sigma_yaml !== null && { sigma: sigma_yaml }),
  };
  // Without folding: a line of a query stays a line of a comparison.
  return stringify(fields, { lineWidth: 0, blockQuote: "literal" });
}
