import type { Alert } from "../alerts/alerts/alert.ts";
import type { BacktestDetail } from "../detection/backtests/backtest.ts";
import type { Exception } from "../detection/exceptions/exception.ts";
import type { Feedback } from "../detection/feedback/feedback.ts";
import type { Match } from "../detection/matches/match.ts";
import { buildRule, buildRuleCondition, type Rule, type RuleRow, resolveTimes } from "../detection/rules/rule.ts";
import type { Run } from "../detection/runs/run.ts";
import { createSuppressor, type Suppression } from "../detection/suppressions/suppression.ts";
import { toPredicate } from "../logs/query/predicate.ts";
import type { LogEvent } from "../ports/log-event.ts";
import { SEED } from "./seed.ts";
import { minutesBefore, toStoryId } from "./story.ts";

/** The results of the showcase rules on the showcase logs. */
export interface ShowcaseDetections {
  rules: (RuleRow & Rule)[];
  runs: Run[];
  matches: Match[];
  suppressions: Suppression[];
  exceptions: Exception[];
  backtests: BacktestDetail[];
  feedback: Feedback[];
}

export function buildShowcaseDetections(
  now: Date,
  logs: readonly LogEvent[],
  alerts: readonly Alert[],
): ShowcaseDetections {
  const rows = SEED.rules.map(({ minutesAgo, by, ...fact }, index) =>
    buildRule(fact, toStoryId("rule", index + 1), by, minutesBefore(now, minutesAgo)),
  );
  const suppressions = buildShowcaseSuppressions(rows, now);
  const matches = buildShowcaseMatches(rows, logs, suppressions, alerts);
  const runs = rows
    .filter(({ schedule_enabled }) => schedule_enabled)
    .map((row, index) => buildShowcaseRun(row, index, now));
  const rules = rows.map((row) => {
    const last_run_at = runs.find(({ rule_id }) => rule_id === row.id)?.finished_at ?? null;
    const next_run_at = minutesBefore(now, -row.schedule_interval_minutes);
    return { ...row, ...resolveTimes(row, { last_run_at, next_run_at }) };
  });
  const exceptions = buildShowcaseExceptions(now);
  const backtests = buildShowcaseBacktests(rows, matches, now);
  return {
    rules,
    runs,
    matches,
    suppressions,
    exceptions,
    backtests,
    feedback: buildShowcaseFeedback(rows, matches, now),
  };
}

function buildShowcaseSuppressions(rows: readonly RuleRow[], now: Date): Suppression[] {
  const [, service] = rows;
  if (!service) return [];
  const created_at = minutesBefore(now, 300);
  const suppress_for_hours = 72;
  return [
    {
      id: toStoryId("suppression", 1),
      rule_id: service.id,
      name: "Rollout of the backup agent",
      reason: "The new agent installs itself as a service on BACKUP-01 this week.",
      criteria: { host: "BACKUP-01" },
      suppress_for_hours,
      created_by: "mei.tan",
      created_at,
      expires_at: minutesBefore(created_at, -suppress_for_hours * 60),
    },
  ];
}

/** A backtest of the first rule over the week before it was shared, with the same matches. */
function buildShowcaseBacktests(rows: readonly RuleRow[], matches: readonly Match[], now: Date): BacktestDetail[] {
  const [rule] = rows;
  if (!rule) return [];
  const own = matches.filter(({ rule_id }) => rule_id === rule.id);
  const [window_from, window_to] = [minutesBefore(now, 7 * 24 * 60), now];
  const histogram = Array.from({ length: 7 }, (_, day) => {
    const from = minutesBefore(window_from, -day * 24 * 60);
    const to = minutesBefore(from, -24 * 60);
    const count = own.filter(({ matched_at }) => matched_at >= from && matched_at < to).length;
    return { at: from.toISOString(), count };
  });
  const summary = { progress: 1, scanned: 48_213, matches: own.length, excepted: 0, is_capped: false, took_ms: 2140 };
  return [
    {
      id: toStoryId("backtest", 1),
      rule_id: rule.id,
      name: rule.name,
      requested_by: rule.created_by,
      status: "done",
      ...{ window_from, window_to, ...summary, error: null, created_at: now, finished_at: now },
      ...{ histogram, groups: [], known: { true_positive: 0, false_positive: 0 } },
    },
  ];
}

function buildShowcaseExceptions(now: Date): Exception[] {
  const created_at = minutesBefore(now, 1_500);
  return [
    {
      id: toStoryId("exception", 1),
      scope: "all",
      rule_id: null,
      tag: null,
      query: "host:scanner-01 AND user:svc-scan",
      reason: "The vulnerability scanner runs its quarterly scan of all sites.",
      created_by: "mei.tan",
      created_at,
      updated_at: created_at,
      expires_at: minutesBefore(created_at, -7 * 24 * 60),
      hidden: 0,
      last_hidden_at: null,
    },
  ];
}

/** Builds matches of single-event rules; the logs of an alert link to it. */
function buildShowcaseMatches(
  rows: readonly RuleRow[],
  logs: readonly LogEvent[],
  suppressions: readonly Suppression[],
  alerts: readonly Alert[],
): Match[] {
  const found = rows
    .filter(({ type, enabled }) => type === "query" && enabled)
    .flatMap((row) => {
      const isMatch = toPredicate(buildRuleCondition(row));
      const findHiding = createSuppressor(suppressions.filter(({ rule_id }) => rule_id === row.id));
      return logs.filter(isMatch).map((log) => ({ row, log, suppression_id: findHiding(log)?.id ?? null }));
    });
  return found.map(({ row, log, suppression_id }, index) => ({
    id: toStoryId("match", index + 1),
    rule_id: row.id,
    rule_version: row.version,
    log_id: log.id,
    log_ingested_at: new Date(log.ingested_at),
    matched_at: new Date(log.ingested_at),
    run_id: null,
    alert_id: alerts.find(({ log_ids }) => log_ids.includes(log.id))?.id ?? null,
    suppression_id,
    exception_id: null,
    author: null,
    license: null,
  }));
}

function buildShowcaseRun(row: RuleRow, index: number, now: Date): Run {
  const window_to = minutesBefore(now, 5);
  return {
    id: toStoryId("run", index + 1),
    rule_id: row.id,
    rule_version: row.version,
    trigger_mode: "scheduled",
    is_backfill: false,
    status: "completed",
    window_from: minutesBefore(window_to, row.schedule_interval_minutes),
    window_to,
    started_at: minutesBefore(now, 4),
    finished_at: minutesBefore(now, 4),
    match_count: 0,
    suppressed_count: 0,
    excepted_count: 0,
    new_match_count: 0,
    alert_ids: [],
    sample_log_ids: [],
    error: null,
  };
}

function buildShowcaseFeedback(rows: readonly RuleRow[], matches: readonly Match[], now: Date): Feedback[] {
  const [password, service] = rows;
  if (!password || !service) return [];
  const behind = matches.find(({ rule_id }) => rule_id === password.id);
  const common = { case_id: null, metadata: {} };
  return [
    {
      ...common,
      id: toStoryId("feedback", 1),
      rule_id: password.id,
      verdict: "true_positive",
      alert_id: behind?.alert_id ?? null,
      siem_log_id: behind?.log_id ?? null,
      notes: "Initial access of the intrusion.",
      created_by: "amina.farouk",
      created_at: minutesBefore(now, 1300),
    },
    {
      ...common,
      id: toStoryId("feedback", 2),
      rule_id: service.id,
      verdict: "false_positive",
      alert_id: null,
      siem_log_id: null,
      notes: "Deployment of the backup agent by IT.",
      created_by: "yusuf.karim",
      created_at: minutesBefore(now, 310),
    },
  ];
}
