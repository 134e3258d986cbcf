import type { Static } from "typebox";
import { type Execution, MOST } from "../matches/finding.ts";
import { reportsOf } from "../matches/match.ts";
import { type Criteria, createSuppressor, matcherOf, type Suppression } from "../matches/suppression.ts";
import type { SuppressionPreviewBody } from "../matches/suppressions.schema.ts";
import type { RuleRow } from "../rules/rule.ts";
import type { RulePreviewBody } from "./runs.schema.ts";

export type RulePreview = Static<typeof RulePreviewBody>;
export type SuppressionPreview = Static<typeof SuppressionPreviewBody>;

const SHOWN_LOGS = 50;

/** What would have been raised, had everything that was found been new. */
export function previewOf(rule: RuleRow, execution: Execution, suppressions: readonly Suppression[]): RulePreview {
  const { window, findings, total, capped } = execution;
  const findHiding = createSuppressor(suppressions);
  const open = findings.filter(({ log }) => !findHiding(log));
  const hidden = findings.filter(({ log }) => findHiding(log));
  const told = reportsOf(rule, open);
  const is_capped = capped !== undefined || told.length > MOST.alerts;
  return {
    window_from: window.from,
    window_to: window.to,
    total,
    suppressed_count: hidden.reduce((sum, { members }) => sum + members.length, 0),
    is_capped,
    alert_count: is_capped ? 1 : told.length,
    alerts: told.slice(0, MOST.alerts).map(({ report, members }) => ({ title: report.title, matches: members.length })),
    logs: open.slice(0, SHOWN_LOGS).map(({ log }) => log),
  };
}

/** What a suppression with these criteria would have hidden of it. */
export function hiddenBy(criteria: Criteria, { window, findings, total, capped }: Execution): SuppressionPreview {
  const isHidden = matcherOf(criteria);
  const hidden = findings.filter(({ log }) => isHidden(log));
  return {
    window_from: window.from,
    window_to: window.to,
    total,
    is_capped: capped !== undefined,
    would_suppress: hidden.reduce((sum, { members }) => sum + members.length, 0),
    logs: hidden.slice(0, SHOWN_LOGS).map(({ log }) => log),
  };
}
