import { type Kysely, sql } from "kysely";
import type { Tables } from "../../foundation/database/tables.ts";
import type { Window } from "../rules/schedule.ts";
import { type AccountedHour, computeHour, HISTORY_RETENTION_MS, type History, toHourEnd } from "./history.ts";

export interface HistoryStore {
  /**
   * The hours in the window, by rule. The window begins and ends at whole hours. Time before `history_from` is unknown
   * and has no hours. Rules that the workers do not know yet are missing.
   */
  read(rule_ids: readonly string[], hours: Window, now: Date): Promise<ReadonlyMap<string, History>>;
}

type HourRow = Omit<AccountedHour, "ran_s" | "hour"> & { rule_id: string; history_from: Date; hour: Date | null };

export function createHistoryStore(db: Kysely<Tables>): HistoryStore {
  return {
    async read(rule_ids, { from, to }, now) {
      const oldest = toHourEnd(new Date(now.getTime() - HISTORY_RETENTION_MS));
      // One statement, so that a concurrently settled window is counted once.
      const { rows } = await sql<HourRow>`
        WITH life AS (
          SELECT rule_id, owner, now, greatest(accounted_from, history_from, ${oldest}) AS history_from,
            CASE owner WHEN 'stream' THEN greatest(window_from, position) ELSE window_from END AS reached
          FROM detection_coverage, detection_stream, (SELECT clock_timestamp()::timestamptz(3) AS now) AS clock
          WHERE rule_id = ANY(${[...rule_ids]}::uuid[])
        ), spans AS (
          SELECT rule_id, reason, window_from, least(window_to, reached) AS window_to
          FROM detection_gaps JOIN life USING (rule_id) WHERE window_to > ${from}
          UNION ALL SELECT rule_id, 'late', window_from, window_to
          FROM detection_backfills JOIN life USING (rule_id) WHERE seconds > 0
          UNION ALL SELECT rule_id, 'late', window_from, window_to
          FROM detection_batches JOIN life ON rule_id = ANY(rule_ids) WHERE finished_at IS NULL
          UNION ALL SELECT rule_id, CASE owner WHEN 'none' THEN 'skipped' ELSE 'late' END, reached, now FROM life
        ), known AS (
          SELECT rule_id, reason, greatest(window_from, history_from, ${from}) AS window_from,
            least(window_to, ${to}) AS window_to
          FROM spans JOIN life USING (rule_id)
        ), parts AS (
          SELECT rule_id, hour, reason,
            extract(epoch FROM least(window_to, hour + interval '1 hour') - greatest(window_from, hour)) AS seconds
          FROM known, generate_series(date_trunc('hour', window_from, 'UTC'), window_to, interval '1 hour') AS hour
          WHERE window_from < window_to AND hour < window_to
        )
        SELECT life.rule_id, history_from, hours.hour, total_s,
          coalesce(sum(seconds) FILTER (WHERE reason = 'late'), 0)::float8 AS late_s,
          coalesce(sum(seconds) FILTER (WHERE reason = 'skipped'), 0)::float8 AS skipped_s,
          coalesce(sum(seconds) FILTER (WHERE reason = 'capped'), 0)::float8 AS capped_s,
          coalesce(sum(seconds) FILTER (WHERE reason = 'silent'), 0)::float8 AS silent_s
        FROM life LEFT JOIN LATERAL (
          SELECT hour,
            extract(epoch FROM least(now, hour + interval '1 hour') - greatest(history_from, hour))::float8 AS total_s
          FROM generate_series(${from}::timestamptz, ${to}::timestamptz - interval '1 hour', interval '1 hour') AS hour
          WHERE hour < now AND hour + interval '1 hour' > history_from
        ) AS hours ON true LEFT JOIN parts ON parts.rule_id = life.rule_id AND parts.hour = hours.hour
        GROUP BY life.rule_id, history_from, hours.hour, total_s ORDER BY life.rule_id, hours.hour`.execute(db);
      return groupByRule(rows);
    },
  };
}

function groupByRule(rows: readonly HourRow[]): Map<string, History> {
  const found = new Map<string, History>();
  for (const { rule_id, history_from, hour, ...seconds } of rows) {
    const history = found.get(rule_id) ?? { history_from, hours: [] };
    found.set(rule_id, history);
    if (hour !== null) history.hours.push(computeHour({ ...seconds, hour }));
  }
  return found;
}
