import { sql } from "kysely";
import type { Static } from "typebox";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Db } from "../../foundation/database/tables.ts";
import type { DetectionMetricsBody } from "./metrics.schema.ts";

export type DetectionMetrics = Static<typeof DetectionMetricsBody>;

export interface MetricsStore {
  /** Metrics of the 24 hours before this instant. Lists only rules that the caller may see. */
  read(caller: Caller, now: Date): Promise<DetectionMetrics>;
}

const DAY_MS = 24 * 60 * 60_000;

const HOUR_MS = 60 * 60_000;

const LISTED = 10;

export function createMetricsStore(db: Db): MetricsStore {
  return {
    async read({ username, role }, now) {
      const since = new Date(now.getTime() - DAY_MS);
      const firstWholeHour = new Date(Math.ceil(since.getTime() / HOUR_MS) * HOUR_MS);
      const isVisible = sql<boolean>`(${role} = 'admin' OR created_by = ${username} OR sharing_mode = 'team'
        OR (sharing_mode = 'roles' AND shared_with_roles @> ARRAY[${role}::text]))`;
      // Whole hours are already counted; of the first, partial hour, only rows within the 24 hours are counted here.
      const counted = sql`
        SELECT rule_id, sum(runs)::int AS runs, sum(matches)::int AS matches, sum(suppressed)::int AS suppressed FROM (
          SELECT rule_id, runs, matches, suppressed FROM detection_counts WHERE hour >= ${firstWholeHour}
          UNION ALL
          SELECT rule_id, count(*), 0, 0 FROM detection_runs
          WHERE started_at > ${since} AND started_at < ${firstWholeHour} AND is_backfill IS NOT TRUE GROUP BY rule_id
          UNION ALL
          SELECT rule_id, 0, count(*), count(suppression_id) FROM detection_matches
          WHERE matched_at > ${since} AND matched_at < ${firstWholeHour} AND exception_id IS NULL GROUP BY rule_id
        ) AS parts GROUP BY rule_id`;
      const totals = await sql<Omit<DetectionMetrics, "noisiest_rules">>`
        WITH counted AS MATERIALIZED (${counted})
        SELECT
          (SELECT count(*)::int FROM detection_rules) AS total_rules,
          (SELECT count(*)::int FROM detection_rules WHERE enabled) AS enabled_rules,
          (SELECT count(*)::int FROM detection_rules WHERE enabled AND schedule_enabled) AS scheduled_rules,
          coalesce(sum(runs), 0)::int AS runs_24h, coalesce(sum(matches), 0)::int AS matches_24h,
          coalesce(sum(suppressed), 0)::int AS suppressed_24h,
          ARRAY(
            SELECT jsonb_build_object('rule_id', rule_id, 'name', name, 'matches', matches)
            FROM counted JOIN detection_rules ON id = rule_id
            WHERE matches > 0 AND ${isVisible} ORDER BY matches DESC, rule_id LIMIT ${LISTED}
          ) AS top_rules_by_matches
        FROM counted`.execute(db);
      const noisiest = await sql<DetectionMetrics["noisiest_rules"][number]>`
        SELECT rule_id, name, false_positives FROM (
          SELECT rule_id, count(*)::int AS false_positives FROM detection_feedback
          WHERE verdict = 'false_positive' AND created_at > ${since} GROUP BY rule_id
        ) AS verdicts JOIN detection_rules ON id = rule_id
        WHERE ${isVisible} ORDER BY false_positives DESC, rule_id LIMIT ${LISTED}`.execute(db);
      const [counts] = totals.rows;
      if (!counts) throw new Error("metrics have no row");
      return { ...counts, noisiest_rules: noisiest.rows };
    },
  };
}
