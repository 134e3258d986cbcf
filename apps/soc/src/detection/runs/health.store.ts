import { type Kysely, sql } from "kysely";
import type { Static } from "typebox";
import type { Tables } from "../../foundation/database/tables.ts";
import { createAccountingStore } from "../scheduling/accounting.store.ts";
import type { Account } from "../scheduling/accounting.ts";
import { createHistoryStore, type HistoryStore } from "../scheduling/history.store.ts";
import type { RuleHealthBody } from "./health.schema.ts";

export type RuleHealth = Static<typeof RuleHealthBody>;
export type HealthCounts = Pick<
  RuleHealth,
  | "matches_24h"
  | "matches_7d"
  | "suppressed_7d"
  | "excepted_7d"
  | "alerts_7d"
  | "true_positives_30d"
  | "false_positives_30d"
  | "last_error"
  | "last_error_at"
>;

/** The state of the rules, by rule id. */
export interface HealthStore {
  /** Rules that the workers do not know yet are missing. */
  accounts(rule_ids: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  counts(rule_ids: readonly string[], now: Date): Promise<ReadonlyMap<string, HealthCounts>>;
  history: HistoryStore["read"];
  /** The alerts that rules have raised since then; rules without alerts are missing. */
  alerts(rule_ids: readonly string[], since: Date): Promise<ReadonlyMap<string, number>>;
}

const DAY_MS = 24 * 60 * 60_000;
export const LAST_DAY_MS = DAY_MS;
export const COUNTED_MS = 7 * DAY_MS;
export const JUDGED_MS = 30 * DAY_MS;

export function createHealthStore(db: Kysely<Tables>): HealthStore {
  const accounting = createAccountingStore(db);
  const hours = createHistoryStore(db);
  return {
    history: (...asked) => hours.read(...asked),

    async accounts(rule_ids) {
      return new Map((await accounting.account(rule_ids)).map((account) => [account.rule_id, account]));
    },

    async alerts(rule_ids, since) {
      const { rows } = await sql<{ rule_id: string; alerts: number }>`
        SELECT rule_id, sum(alerts)::int AS alerts FROM detection_counts
        WHERE rule_id = ANY(${[...rule_ids]}::uuid[]) AND hour > ${since} GROUP BY rule_id`.execute(db);
      return new Map(rows.map(({ rule_id, alerts }) => [rule_id, alerts]));
    },

    async counts(rule_ids, now) {
      const [lastDay, since, judgedSince] = [LAST_DAY_MS, COUNTED_MS, JUDGED_MS].map(
        (span) => new Date(now.getTime() - span),
      );
      const { rows } = await sql<HealthCounts & { rule_id: string }>`
        SELECT given.rule_id, coalesce(counted.matches_24h, 0)::int AS matches_24h,
          coalesce(counted.matches, 0)::int AS matches_7d,
          coalesce(counted.suppressed, 0)::int AS suppressed_7d, coalesce(counted.excepted, 0)::int AS excepted_7d,
          coalesce(counted.alerts, 0)::int AS alerts_7d,
          judged.true_positives::int AS true_positives_30d, judged.false_positives::int AS false_positives_30d,
          failed.error AS last_error, failed.finished_at AS last_error_at
        FROM unnest(${[...rule_ids]}::uuid[]) AS given (rule_id)
        LEFT JOIN LATERAL (
          SELECT sum(matches) FILTER (WHERE hour > ${lastDay}) AS matches_24h,
            sum(matches) AS matches, sum(suppressed) AS suppressed, sum(excepted) AS excepted,
            sum(alerts) AS alerts FROM detection_counts
          WHERE detection_counts.rule_id = given.rule_id AND hour > ${since}
        ) AS counted ON true
        CROSS JOIN LATERAL (
          SELECT count(*) FILTER (WHERE verdict = 'true_positive') AS true_positives,
            count(*) FILTER (WHERE verdict = 'false_positive') AS false_positives FROM detection_feedback
          WHERE detection_feedback.rule_id = given.rule_id AND created_at > ${judgedSince}
        ) AS judged
        LEFT JOIN LATERAL (
          SELECT error, finished_at FROM detection_runs
          WHERE detection_runs.rule_id = given.rule_id AND status = 'failed' AND started_at > ${since}
          ORDER BY started_at DESC, id DESC LIMIT 1
        ) AS failed ON true`.execute(db);
      return new Map(rows.map(({ rule_id, ...counts }) => [rule_id, counts]));
    },
  };
}
