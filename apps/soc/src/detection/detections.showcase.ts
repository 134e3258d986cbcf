import type { LogEvent } from "../ports/log-event.ts";
import type { BacktestDetail } from "./backtests/backtest.ts";
import type { Exception } from "./exceptions/exception.ts";
import { createShowcaseExceptionsStore, type ExceptionsStore } from "./exceptions/exceptions.store.ts";
import { createShowcaseLogReader, type ReadLogs } from "./execution/log-reader.ts";
import { createShowcaseFeedbackStore, type FeedbackStore } from "./feedback/feedback.store.ts";
import type { Feedback } from "./feedback/feedback.ts";
import { createShowcaseVerdictCounts, type VerdictCountsStore } from "./feedback/verdict-counts.store.ts";
import type { Match } from "./matches/match.ts";
import { createShowcaseMatchesStore, type MatchesStore } from "./matches/matches.store.ts";
import { createShowcaseRulesStore, type FoundRule, type RulesStore } from "./rules/rules.store.ts";
import { createShowcaseHealthStore } from "./runs/health.showcase.ts";
import type { HealthStore } from "./runs/health.store.ts";
import { createShowcaseMetricsStore } from "./runs/metrics.showcase.ts";
import type { DetectionMetrics, MetricsStore } from "./runs/metrics.store.ts";
import type { Run } from "./runs/run.ts";
import { createShowcaseRunsStore, type RunsStore } from "./runs/runs.store.ts";
import type { Suppression } from "./suppressions/suppression.ts";
import { createShowcaseSuppressionsStore, type SuppressionsStore } from "./suppressions/suppressions.store.ts";

export interface ShowcaseDetectionRows {
  rules: readonly FoundRule[];
  runs: readonly Run[];
  matches: readonly Match[];
  suppressions: readonly Suppression[];
  exceptions: readonly Exception[];
  backtests: readonly BacktestDetail[];
  feedback: readonly Feedback[];
}

/** Everything about detections that dummy mode reads. */
export interface DetectionReads {
  rules: RulesStore;
  runs: RunsStore;
  matches: MatchesStore;
  suppressions: SuppressionsStore;
  exceptions: ExceptionsStore;
  verdicts: VerdictCountsStore;
  feedback: FeedbackStore;
  metrics: MetricsStore;
  health: HealthStore;
  logs: ReadLogs;
}

const DAY_MS = 24 * 60 * 60_000;

export function createShowcaseDetections(rows: ShowcaseDetectionRows, logs: readonly LogEvent[]): DetectionReads {
  return {
    rules: createShowcaseRulesStore(rows.rules),
    runs: createShowcaseRunsStore(rows.runs),
    matches: createShowcaseMatchesStore(rows.matches),
    suppressions: createShowcaseSuppressionsStore(rows.suppressions),
    exceptions: createShowcaseExceptionsStore(rows),
    verdicts: createShowcaseVerdictCounts(rows),
    feedback: createShowcaseFeedbackStore(rows.feedback),
    health: createShowcaseHealthStore(rows),
    metrics: createShowcaseMetricsStore((now) => computeMetrics(rows, now)),
    logs: () => createShowcaseLogReader(logs),
  };
}

function computeMetrics({ rules, runs, matches, feedback }: ShowcaseDetectionRows, now: Date): DetectionMetrics {
  const isRecent = (at: Date) => now.getTime() - at.getTime() < DAY_MS;
  const recent = matches.filter(({ matched_at }) => isRecent(matched_at));
  const wrong = feedback.filter(({ verdict, created_at }) => verdict === "false_positive" && isRecent(created_at));
  const countByRule = (all: readonly { rule_id: string }[], id: string) =>
    all.filter(({ rule_id }) => rule_id === id).length;
  const named = rules.map(({ id, name }) => ({
    rule_id: id,
    name,
    matches: countByRule(recent, id),
    false_positives: countByRule(wrong, id),
  }));
  return {
    total_rules: rules.length,
    enabled_rules: rules.filter(({ enabled }) => enabled).length,
    scheduled_rules: rules.filter(({ enabled, schedule_enabled }) => enabled && schedule_enabled).length,
    runs_24h: runs.filter(({ started_at }) => isRecent(started_at)).length,
    matches_24h: recent.length,
    suppressed_24h: recent.filter(({ suppression_id }) => suppression_id !== null).length,
    top_rules_by_matches: named.filter((each) => each.matches > 0).toSorted((a, b) => b.matches - a.matches),
    noisiest_rules: named
      .filter(({ false_positives }) => false_positives > 0)
      .toSorted((a, b) => b.false_positives - a.false_positives),
  };
}
