import { stringify } from "yaml";
import type { RuleRow } from "./rule.ts";

/** The fields that define a rule, as named in a request to create it. */
export const DEFINITION = [
  "name",
  "description",
  "enabled",
  "type",
  "query",
  "threshold",
  "source",
  "host",
  "match_severity",
  "alert_severity",
  "alert_title_template",
  "alert_description_template",
  "auto_create_case",
  "schedule_enabled",
  "schedule_interval_minutes",
  "mitre_techniques",
  "tags",
] as const satisfies readonly (keyof RuleRow)[];

/** Returns the source of a rule as YAML: the imported Sigma rule, or the fields of any other rule. */
export function formatSource(rule: RuleRow): string {
  return rule.sigma_yaml ?? stringify(Object.fromEntries(DEFINITION.map((name) => [name, rule[name]])));
}
