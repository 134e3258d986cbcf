import { ALERT_STATUSES, type AlertStatus, SEVERITIES, type Severity } from "../../alerts/alerts/alerts.schema.ts";
import type { Alert } from "../../alerts/module.ts";
import { CASE_STATUSES, type CaseStatus } from "../../cases/cases/cases.schema.ts";
import type { Case } from "../../cases/module.ts";
import type { DashboardBody, OverviewBody, TopSource } from "./stats.schema.ts";

/** All numbers of a snapshot except those that depend on the caller. */
export type Snapshot = Omit<DashboardBody, "top_rules">;

/** The numbers of alerts and cases; other features count their own records. */
export type RecordStats = Omit<Snapshot, keyof FeatureCounts | "generated_at">;
export type FeatureCounts = Pick<OverviewBody, "approvals_pending" | "agents" | "endpoints" | "devices" | "detections">;

export const NO_FEATURE_COUNTS: FeatureCounts = {
  approvals_pending: 0,
  agents: { active: 0, disabled: 0, error: 0 },
  endpoints: { total: 0, isolated: 0 },
  devices: { total: 0, by_verdict: {} },
  detections: { rules: 0, runs_24h: 0, matches_24h: 0 },
};

export const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;
const TREND_HOURS = 24;
/** The mean times cover alerts created within this time before now. */
export const MEAN_TIMES_MS = 30 * DAY_MS;
export const LISTED = 10;

export interface StatusCount<Status extends string> {
  status: Status;
  count: number;
}

export function groupAlertCounts(rows: readonly (StatusCount<AlertStatus> & { severity: Severity })[]) {
  return {
    total: sumCounts(rows),
    by_status: byWord(ALERT_STATUSES, (status) => sumCounts(rows.filter((row) => row.status === status))),
    by_severity: byWord(SEVERITIES, (severity) => sumCounts(rows.filter((row) => row.severity === severity))),
  };
}

export function groupCaseCounts(rows: readonly StatusCount<CaseStatus>[]): RecordStats["cases"] {
  const by_status = byWord(CASE_STATUSES, (status) => sumCounts(rows.filter((row) => row.status === status)));
  const total = sumCounts(rows);
  return { total, by_status, open: total - by_status.resolved - by_status.closed };
}

/**
 * Returns the start of the oldest hour of the trend. The hours are full hours in UTC, and the last one contains now.
 */
export function findTrendStart(now: Date): Date {
  return new Date((Math.floor(now.getTime() / HOUR_MS) - TREND_HOURS + 1) * HOUR_MS);
}

/** Returns the hours up to now, oldest first; `hour` counts from the oldest. */
export function fillTrend(now: Date, rows: readonly { hour: number; count: number }[]): RecordStats["alert_trend"] {
  const start = findTrendStart(now).getTime();
  return Array.from({ length: TREND_HOURS }, (_, hour) => ({
    hour: new Date(start + hour * HOUR_MS),
    count: sumCounts(rows.filter((row) => row.hour === hour)),
  }));
}

/** Computes the same as the database for alerts and cases in memory. */
export function countInMemory(alerts: readonly Alert[], cases: readonly Case[], now: Date): RecordStats {
  const since = now.getTime() - DAY_MS;
  const recent = alerts.filter(({ created_at }) => isWithin(created_at, since, now));
  const trendStart = findTrendStart(now).getTime();
  const hours = alerts
    .filter(({ created_at }) => isWithin(created_at, trendStart, now))
    .map(({ created_at }) => ({ hour: Math.floor((created_at.getTime() - trendStart) / HOUR_MS), count: 1 }));
  const measured = alerts.filter(({ created_at }) => isWithin(created_at, now.getTime() - MEAN_TIMES_MS, now));
  return {
    alerts: {
      ...groupAlertCounts(alerts.map(({ status, severity }) => ({ status, severity, count: 1 }))),
      new_24h: recent.length,
    },
    cases: groupCaseCounts(cases.map(({ status }) => ({ status, count: 1 }))),
    ...computeMeanTimes(measured),
    alert_trend: fillTrend(now, hours),
    top_sources: countTopSources(recent.map(({ source }) => source)),
    recent_alerts: takeNewest(alerts),
    recent_cases: takeNewest(cases),
  };
}

export function countTopSources(sources: readonly string[]): TopSource[] {
  return mergeTopSources(sources.map((source) => ({ source, count: 1 })));
}

/** Returns the sources with the most alerts; adds up duplicates. */
export function mergeTopSources(counted: readonly TopSource[]): TopSource[] {
  const counts = new Map<string, number>();
  for (const { source, count } of counted) counts.set(source, (counts.get(source) ?? 0) + count);
  return [...counts]
    .map(([source, count]) => ({ source, count }))
    .toSorted((a, b) => b.count - a.count || (a.source < b.source ? -1 : 1))
    .slice(0, LISTED);
}

export function computeMeanTimes(
  alerts: readonly Pick<Alert, "created_at" | "reopened_at" | "acknowledged_at" | "resolved_at">[],
) {
  const minutesTo = (end: "acknowledged_at" | "resolved_at") =>
    alerts.flatMap(({ created_at, reopened_at, [end]: at }) =>
      at ? [(at.getTime() - (reopened_at ?? created_at).getTime()) / 60_000] : [],
    );
  return {
    mtta_minutes: computeMean(minutesTo("acknowledged_at")),
    mttr_minutes: computeMean(minutesTo("resolved_at")),
  };
}

/** Rounds to a tenth of a minute. */
export function roundMinutes(minutes: number | null): number | null {
  return minutes === null ? null : Math.round(minutes * 10) / 10;
}

function computeMean(minutes: readonly number[]): number | null {
  if (minutes.length === 0) return null;
  return roundMinutes(minutes.reduce((sum, each) => sum + each, 0) / minutes.length);
}

function takeNewest<Item extends { created_at: Date; id: string }>(items: readonly Item[]): Item[] {
  return items
    .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1))
    .slice(0, LISTED);
}

function isWithin(at: Date, since: number, now: Date): boolean {
  return at.getTime() >= since && at.getTime() < now.getTime();
}

function byWord<Word extends string>(words: readonly Word[], countWord: (word: Word) => number): Record<Word, number>;
function byWord(words: readonly string[], countWord: (word: string) => number) {
  return Object.fromEntries(words.map((word) => [word, countWord(word)]));
}

function sumCounts(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
