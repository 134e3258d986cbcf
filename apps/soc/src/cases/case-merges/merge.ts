import { invalidField, Problem } from "@kit/problem";
import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { type Case, requireUnmerged } from "../cases/case.ts";

/** Throws if the cases must not be merged. */
export function requireMergeable(target: Case, sources: readonly Case[]): void {
  for (const each of [target, ...sources]) requireUnmerged(each);
  if (target.status === "closed") throw new Problem("conflict", `case '${target.id}' is closed`);
}

export function requireOthers(into: string, from: readonly string[]): string[] {
  const ids = [...new Set(from.map((id) => id.toLowerCase()))];
  if (ids.includes(into.toLowerCase())) throw invalidField("from", "must not contain the target case");
  return ids;
}

/**
 * Returns the target after the merge: the highest severity, all tags and techniques, and every approval requirement.
 */
export function joinCases(target: Case, sources: readonly Case[]) {
  const all = [target, ...sources];
  const worst = Math.min(...all.map(({ severity }) => SEVERITIES.indexOf(severity)));
  return {
    severity: SEVERITIES[worst] ?? target.severity,
    tags: [...new Set(all.flatMap(({ tags }) => tags))],
    mitre_techniques: [...new Set(all.flatMap(({ mitre_techniques }) => mitre_techniques))],
    requires_human_approval: all.some(({ requires_human_approval }) => requires_human_approval),
  };
}
