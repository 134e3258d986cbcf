import { sql } from "kysely";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { isVisible } from "../../logs/module.ts";
import type { Match } from "../matches/match.ts";
import { createVisibleRules, type FoundRule } from "../rules/rules.store.ts";
import type { Feedback } from "./feedback.ts";

/** The existing verdicts about logs. */
export interface VerdictCountsStore {
  /** How many of the logs have a verdict, on alerts and logs of rules that the caller may see. */
  countKnown(caller: Caller, log_ids: readonly string[]): Promise<{ true_positive: number; false_positive: number }>;
  /** The alerts that the rule raised for these logs, and how many of them were true positives. */
  countAlerts(rule_id: string, log_ids: readonly string[]): Promise<{ alerts: number; true_positives: number }>;
}

/** People give verdicts, so the newest ones are enough to judge a rule. */
const MAX_VERDICTS = 5000;

export function createVerdictCountsStore(db: Db): VerdictCountsStore {
  return {
    async countKnown(caller, log_ids) {
      const visible = createVisibleRules(db, caller).select("detection_rules.id");
      const { rows } = await sql<{ true_positive: number; false_positive: number }>`
        WITH judged AS MATERIALIZED (
          SELECT rule_id, alert_id, siem_log_id, verdict FROM detection_feedback
          WHERE rule_id IN (${visible}) AND (alert_id IS NOT NULL OR siem_log_id IS NOT NULL)
          ORDER BY created_at DESC LIMIT ${MAX_VERDICTS}
        ), known AS (
          SELECT siem_log_id AS log_id, verdict FROM judged WHERE siem_log_id = ANY(${[...log_ids]}::text[])
          UNION
          SELECT match.log_id, judged.verdict FROM detection_matches AS match
          JOIN judged ON judged.rule_id = match.rule_id AND judged.alert_id = match.alert_id
          WHERE match.rule_id = ANY(ARRAY(SELECT DISTINCT rule_id FROM judged))
            AND match.log_id = ANY(${[...log_ids]}::text[])
        )
        SELECT count(*) FILTER (WHERE verdict = 'true_positive')::int AS true_positive,
          count(*) FILTER (WHERE verdict = 'false_positive')::int AS false_positive FROM known`.execute(db);
      return rows[0] ?? { true_positive: 0, false_positive: 0 };
    },

    async countAlerts(rule_id, log_ids) {
      const { rows } = await sql<{ alerts: number; true_positives: number }>`
        WITH raised AS (
          SELECT DISTINCT alert_id FROM detection_matches
          WHERE rule_id = ${rule_id} AND log_id = ANY(${[...log_ids]}::text[]) AND alert_id IS NOT NULL
        )
        SELECT count(*)::int AS alerts, count(*) FILTER (WHERE alert_id IN (
          SELECT alert_id FROM detection_feedback WHERE rule_id = ${rule_id} AND verdict = 'true_positive'
        ))::int AS true_positives FROM raised`.execute(db);
      return rows[0] ?? { alerts: 0, true_positives: 0 };
    },
  };
}

interface Rows {
  rules: readonly FoundRule[];
  matches: readonly Match[];
  feedback: readonly Feedback[];
}

export function createShowcaseVerdictCounts({ rules, matches, feedback }: Rows): VerdictCountsStore {
  const isJudged = ({ rule_id, alert_id, log_id }: Match, verdict: string) =>
    feedback.some(
      (each) =>
        each.rule_id === rule_id &&
        each.verdict === verdict &&
        ((each.alert_id !== null && each.alert_id === alert_id) || each.siem_log_id === log_id),
    );
  return {
    async countKnown(caller, log_ids) {
      const visible = new Set(rules.filter((rule) => isVisible(rule, caller)).map(({ id }) => id));
      const found = matches.filter(({ rule_id, log_id }) => visible.has(rule_id) && log_ids.includes(log_id));
      const count = (verdict: string) =>
        new Set(found.filter((match) => isJudged(match, verdict)).map(({ log_id }) => log_id)).size;
      return { true_positive: count("true_positive"), false_positive: count("false_positive") };
    },

    async countAlerts(rule_id, log_ids) {
      const raised = matches.filter(
        (match) => match.rule_id === rule_id && match.alert_id !== null && log_ids.includes(match.log_id),
      );
      const countIds = (found: readonly Match[]) => new Set(found.map(({ alert_id }) => alert_id)).size;
      return {
        alerts: countIds(raised),
        true_positives: countIds(raised.filter((match) => isJudged(match, "true_positive"))),
      };
    },
  };
}
