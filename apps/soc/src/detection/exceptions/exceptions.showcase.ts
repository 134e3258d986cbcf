import { pageInMemory } from "../../foundation/lists/order.ts";
import { isVisible } from "../../logs/module.ts";
import type { Feedback } from "../feedback/feedback.ts";
import type { Match } from "../matches/match.ts";
import type { FoundRule } from "../rules/rules.store.ts";
import { type Exception, isActive, isInScope, isListed, NEWEST_FIRST } from "./exception.ts";
import type { ExceptionsStore } from "./exceptions.store.ts";

interface Rows {
  rules: readonly FoundRule[];
  matches: readonly Match[];
  feedback: readonly Feedback[];
  exceptions: readonly Exception[];
}

export function createShowcaseExceptionsStore({ rules, matches, feedback, exceptions }: Rows): ExceptionsStore {
  return {
    list: async (_caller, query, now) =>
      pageInMemory(exceptions, NEWEST_FIRST, query, (each) => isListed(each, query, now)),
    find: async (_caller, id) => exceptions.find((each) => each.id === id),
    listActive: async (rule, now) => exceptions.filter((each) => isActive(each, now) && isInScope(each, rule)),
    async listPriced(caller, { scope, rule_id = null, tag = null }, { from, to }, limit) {
      const meant = rules.filter((rule) => isVisible(rule, caller) && isInScope({ scope, rule_id, tag }, rule));
      const known = new Set(meant.map(({ id }) => id));
      return matches
        .filter(
          ({ rule_id: id, matched_at, suppression_id, exception_id }) =>
            known.has(id) && matched_at >= from && matched_at < to && suppression_id === null && exception_id === null,
        )
        .slice(0, limit)
        .map(({ log_id, log_ingested_at, alert_id }) => ({
          log_id,
          log_ingested_at,
          alert_id,
          is_true_positive: feedback.some(
            (each) => each.alert_id !== null && each.alert_id === alert_id && each.verdict === "true_positive",
          ),
        }));
    },
  };
}
