import type { Static } from "typebox";
import { toLogBody } from "../../logs/search/log-body.ts";
import { type Execution, RUN_LIMITS } from "../matches/finding.ts";
import { buildReports } from "../matches/match.ts";
import { type Criteria, createMatcher, createSuppressor, type Suppression } from "../matches/suppression.ts";
import type { SuppressionPreviewBody } from "../matches/suppressions.schema.ts";
import type { RuleRow } from "../rules/rule.ts";
import type { RulePreviewBody } from "./runs.schema.ts";

export type RulePreview = Static<typeof RulePreviewBody>;
export type SuppressionPreview = Static<typeof SuppressionPreviewBody>;

const SHOWN_LOGS = 50;

/** What the rule would have raised, assuming that every finding is new. */
export function buildPreview(rule: RuleRow, execution: Execution, suppressions: readonly Suppression[]): RulePreview {
  const { window, findings, total, capped } = execution;
  const findHiding = createSuppressor(suppressions);
  const open = findings.filter(({ log }) => !findHiding(log));
  const hidden = findings.filter(({ log }) => findHiding(log));
  const drafts = buildReports(rule, open);
  const is_capped = capped !== undefined || drafts.length > RUN_LIMITS.alerts;
  return {
    window_from: window.from,
    window_to: window.to,
    total,
    suppressed_count: hidden.reduce((sum, { members }) => sum + members.length, 0),
    is_capped,
    alert_count: is_capped ? 1 : drafts.length,
    alerts: drafts
      .slice(0, RUN_LIMITS.alerts)
      .map(({ report, members }) => ({ title: report.title, matches: members.length })),
    logs: open.slice(0, SHOWN_LOGS).map(({ log }) => toLogBody(log)),
  };
}

/** What a suppression with these criteria would have hidden in this execution. */
export function hiddenBy(criteria: Criteria, { window, findings, total, capped }: Execution): SuppressionPreview {
  const isHidden = createMatcher(criteria);
  const hidden = findings.filter(({ log }) => isHidden(log));
  return {
    window_from: window.from,
    window_to: window.to,
    total,
    is_capped: capped !== undefined,
    would_suppress: hidden.reduce((sum, { members }) => sum + members.length, 0),
    logs: hidden.slice(0, SHOWN_LOGS).map(({ log }) => toLogBody(log)),
  };
}
