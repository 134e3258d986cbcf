import type { Field } from "@kit/query/condition";
import { checkQuery, type QueryProblem } from "@kit/query/query-check";

/** The alert fields that a condition can reference, as the service reads them. */
export const CONDITION_FIELDS: readonly string[] = [
  ...["severity", "source", "host", "user", "site", "title", "description", "status", "iocs", "mitre_techniques"],
  ...["tags", "rule_id", "risk_score", "assignee", "case_id", "occurrence_count", "id"],
];

const CHECKED: ReadonlyMap<string, Field> = new Map(
  CONDITION_FIELDS.map((name): [string, Field] => [
    name,
    name === "severity" ? { name } : name === "title" ? { name: "message" } : { attribute: [name] },
  ]),
);

/** The problems of a condition; empty if it is valid. */
export function checkCondition(text: string): readonly QueryProblem[] {
  return checkQuery(text, { fields: CHECKED });
}
