import { sql } from "kysely";
import type { AlertStatus, Severity } from "../../alerts/alerts/alerts.schema.ts";
import { ALERT_COLUMNS, type Alert } from "../../alerts/module.ts";
import type { CaseStatus } from "../../cases/cases/cases.schema.ts";
import { CASE_COLUMNS, type Case } from "../../cases/module.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { createPeriodStore } from "./period.store.ts";
import { type Period, type PeriodFacts, periodInMemory } from "./period.ts";
import type { TopSource } from "./stats.schema.ts";
import {
  countInMemory,
  DAY_MS,
  type FeatureCounts,
  fillTrend,
  findTrendStart,
  groupAlertCounts,
  groupCaseCounts,
  HOUR_MS,
  LISTED,
  MEAN_TIMES_MS,
  type RecordStats,
  type StatusCount,
} from "./stats.ts";

export interface StatsStore {
  /** Reads all numbers from one database snapshot. */
  look(now: Date): Promise<RecordStats & FeatureCounts>;
  period(period: Period): Promise<PeriodFacts>;
}

/** Counts records of other features in the given transaction, so that all numbers come from one snapshot. */
export type CountFeatures = (tx: Db, now: Date) => Promise<FeatureCounts>;

export function createStatsStore(db: Db, countFeatures: CountFeatures): StatsStore {
  const inSnapshot = <Result>(read: (tx: Db) => Promise<Result>) =>
    db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read);
  return {
    look: (now) => inSnapshot(async (tx) => ({ ...(await count(tx, now)), ...(await countFeatures(tx, now)) })),
    period: (period) => inSnapshot((tx) => createPeriodStore(tx).read(period)),
  };
}

async function count(tx: Db, now: Date): Promise<RecordStats> {
  const since = new Date(now.getTime() - DAY_MS);
  const alerts = await sql<StatusCount<AlertStatus> & { severity: Severity }>`
    SELECT status, severity, count(*)::int AS count FROM alerts GROUP BY status, severity`.execute(tx);
  const cases = await sql<StatusCount<CaseStatus>>`
    SELECT status, count(*)::int AS count FROM cases GROUP BY status`.execute(tx);
  const recent = sql`alerts WHERE created_at >= ${since} AND created_at < ${now}`;
  const created = await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${recent}`.execute(tx);
  const trendStart = findTrendStart(now);
  const hours = await sql<{ hour: number; count: number }>`
    SELECT floor(extract(epoch FROM created_at - ${trendStart}::timestamptz) * 1000 / ${sql.lit(HOUR_MS)})::int AS hour,
      count(*)::int AS count
    FROM alerts WHERE created_at >= ${trendStart} AND created_at < ${now} GROUP BY hour`.execute(tx);
  const sources = await sql<TopSource>`
    SELECT source, count(*)::int AS count FROM ${recent}
    GROUP BY source ORDER BY count DESC, source COLLATE "C" LIMIT ${LISTED}`.execute(tx);
  return {
    alerts: { ...groupAlertCounts(alerts.rows), new_24h: created.rows[0]?.count ?? 0 },
    cases: groupCaseCounts(cases.rows),
    ...(await createPeriodStore(tx).readMeanTimes({ from: new Date(now.getTime() - MEAN_TIMES_MS), to: now })),
    alert_trend: fillTrend(now, hours.rows),
    top_sources: sources.rows,
    recent_alerts: await tx
      .selectFrom("alerts")
      .select(ALERT_COLUMNS)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(LISTED)
      .execute(),
    recent_cases: await tx
      .selectFrom("cases")
      .select(CASE_COLUMNS)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(LISTED)
      .execute(),
  };
}

export function createShowcaseStatsStore(
  { alerts, cases }: { alerts: readonly Alert[]; cases: readonly Case[] },
  others: FeatureCounts,
): StatsStore {
  return {
    look: async (now) => ({ ...countInMemory(alerts, cases, now), ...others }),
    period: async (period) => periodInMemory(alerts, cases, period),
  };
}
