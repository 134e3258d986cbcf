import type { RuleBody } from "@soc/service/contract/detection/rules/rules";
import type { RulePreviewBody } from "@soc/service/contract/detection/runs/runs";
import type { Changed } from "../../../app/server/changed.ts";
import type { Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type Rule = Wire<RuleBody>;
export type RulePreview = Wire<RulePreviewBody>;
export type RuleSeverity = Rule["alert_severity"];

export interface RuleDraft {
  name: string;
  query: string;
  severity: RuleSeverity;
}

export const ruleDraftKeys = {
  names: ["rules", "list", "names"],
  preview: (query: string, from: string, to: string) => ["rules", "preview", query, from, to],
};

const MAX_RULES = 200;

/** The newest rules, for a choice. */
export async function listRuleNames(server: Server, signal: AbortSignal) {
  const { items } = await server.get<Listed<Pick<Rule, "id" | "name">>>("/detections/rules", {
    query: { limit: MAX_RULES },
    signal,
  });
  return items;
}

/** What such a rule would have raised in that time. */
export function previewRule(
  server: Server,
  { query, from, to }: { query: string; from: string; to: string },
  signal: AbortSignal,
) {
  return server.post<RulePreview>("/detections/rules/preview", { type: "query", query, from, to }, { signal });
}

/** A new rule does nothing until it is enabled. */
export function createRule(server: Server, { name, query, severity }: RuleDraft) {
  return server.post<Changed<Rule>>("/detections/rules", {
    name,
    query,
    type: "query",
    alert_severity: severity,
    enabled: false,
  });
}
