import type { Static } from "typebox";
import { toLogBody } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { type Execution, RUN_LIMITS } from "../matches/finding.ts";
import { buildReports } from "../matches/match.ts";
import type { RuleRow } from "../rules/rule.ts";
import { createSuppressor, type Suppression } from "../suppressions/suppression.ts";
import type { RulePreviewBody } from "./runs.schema.ts";

export type RulePreview = Static<typeof RulePreviewBody>;

const SHOWN_LOGS = 50;
const SHOWN_GROUPS = 10;
const BUCKETS = 48;

/** The data of a preview in addition to the execution. */
export interface PreviewFacts {
  suppressions: readonly Suppression[];
  known: RulePreview["known"];
  scanned: number;
  took_ms: number;
}

/** Builds what the rule would have raised, assuming that every finding is new. */
export function buildPreview(rule: RuleRow, execution: Execution, facts: PreviewFacts): RulePreview {
  const { window, findings, total, capped } = execution;
  const { suppressions, known, scanned, took_ms } = facts;
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
    excepted_count: execution.excepted?.length ?? 0,
    is_capped,
    alert_count: is_capped ? 1 : drafts.length,
    alerts: drafts
      .slice(0, RUN_LIMITS.alerts)
      .map(({ report, members }) => ({ title: report.title, matches: members.length })),
    logs: open.slice(0, SHOWN_LOGS).map(({ log }) => toLogBody(log)),
    histogram: buildHistogram(execution),
    groups: [...buildGroups(findings, "host"), ...buildGroups(findings, "user")],
    known,
    scanned,
    scanned_is_capped: scanned >= RUN_LIMITS.counted,
    took_ms,
  };
}

/** The matched logs over the window, including empty parts of it. */
function buildHistogram({ window: { from, to }, findings }: Execution): RulePreview["histogram"] {
  const stepMs = Math.ceil((to.getTime() - from.getTime()) / BUCKETS);
  const counts = Array.from({ length: BUCKETS }, () => 0);
  for (const { members } of findings) {
    for (const { ingested_at } of members) {
      // A group may have begun before the window.
      const place = Math.max(Math.floor((Date.parse(ingested_at) - from.getTime()) / stepMs), 0);
      counts[place] = (counts[place] ?? 0) + 1;
    }
  }
  return counts
    .map((count, place) => ({ at: new Date(from.getTime() + place * stepMs), count }))
    .filter(({ at }) => at < to);
}

/** The hosts or users with the most matched logs. */
function buildGroups(findings: Execution["findings"], field: "host" | "user"): RulePreview["groups"] {
  const groups = new Map<string, { count: number; sample: LogEvent }>();
  for (const { log, members } of findings) {
    for (const member of members) {
      const value = member[field];
      if (value === "") continue;
      const group = groups.get(value) ?? { count: 0, sample: log };
      group.count += 1;
      groups.set(value, group);
    }
  }
  return [...groups]
    .toSorted(([, one], [, other]) => other.count - one.count)
    .slice(0, SHOWN_GROUPS)
    .map(([value, { count, sample }]) => ({ field, value, count, sample_log: toLogBody(sample) }));
}
