import { isVisible } from "../../logs/module.ts";
import type { Match } from "../matches/match.ts";
import type { FoundRule } from "../rules/rules.store.ts";
import type { Feedback } from "./feedback.ts";
import type { VerdictCountsStore } from "./verdict-counts.store.ts";

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
