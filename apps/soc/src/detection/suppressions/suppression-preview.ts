import type { Static } from "typebox";
import { toLogBody } from "../../logs/module.ts";
import { type Execution, listMatchedIds, RUN_LIMITS } from "../matches/finding.ts";
import { type Criteria, createMatcher } from "./suppression.ts";
import type { SuppressionPreviewBody } from "./suppressions.schema.ts";

export type SuppressionPreview = Static<typeof SuppressionPreviewBody>;

const SHOWN_LOGS = 50;

/** Returns what a suppression with these criteria would have hidden in this execution. */
export function hiddenBy(
  criteria: Criteria,
  { window, findings, total, capped, excepted = [] }: Execution,
): { preview: Omit<SuppressionPreview, "hidden_alerts" | "hidden_true_positives">; log_ids: string[] } {
  const isHidden = createMatcher(criteria);
  const hidden = findings.filter(({ log }) => isHidden(log));
  const preview = {
    window_from: window.from,
    window_to: window.to,
    total,
    excepted_count: excepted.length,
    is_capped: capped !== undefined,
    would_suppress: hidden.reduce((sum, { members }) => sum + members.length, 0),
    logs: hidden.slice(0, SHOWN_LOGS).map(({ log }) => toLogBody(log)),
  };
  return { preview, log_ids: listMatchedIds({ findings: hidden }, RUN_LIMITS.matches) };
}
