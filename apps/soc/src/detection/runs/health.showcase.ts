import type { Feedback } from "../feedback/feedback.ts";
import type { Match } from "../matches/match.ts";
import type { Rule } from "../rules/rule.ts";
import { computeHour, HOUR_MS } from "../scheduling/history.ts";
import { COUNTED_MS, type HealthStore, JUDGED_MS, LAST_DAY_MS } from "./health.store.ts";

interface ShowcaseHealth {
  rules: readonly Rule[];
  matches: readonly Match[];
  feedback: readonly Feedback[];
}

/** The rules of the demo story have evaluated all of their time. */
export function createShowcaseHealthStore({ rules, matches, feedback }: ShowcaseHealth): HealthStore {
  const newest = matches.reduce((latest, { matched_at }) => Math.max(latest, matched_at.getTime()), 0);
  return {
    async accounts() {
      return new Map(
        rules.map(({ id, created_at }) => {
          const total_s = Math.max(0, (newest - created_at.getTime()) / 1000);
          return [id, { rule_id: id, total_s, ran_s: total_s, late_s: 0, skipped_s: 0, capped_s: 0, silent_s: 0 }];
        }),
      );
    },

    async history(_rule_ids, { from, to }) {
      return new Map(
        rules.map(({ id, created_at }) => {
          const count = (to.getTime() - from.getTime()) / HOUR_MS;
          const hours = Array.from({ length: count }, (_, at) => {
            const beginMs = from.getTime() + at * HOUR_MS;
            const knownMs = Math.min(newest, beginMs + HOUR_MS) - Math.max(created_at.getTime(), beginMs);
            const seconds = { late_s: 0, skipped_s: 0, capped_s: 0, silent_s: 0 };
            return computeHour({ hour: new Date(beginMs), total_s: knownMs / 1000, ...seconds });
          });
          return [id, { history_from: created_at, hours: hours.filter(({ total_s }) => total_s > 0) }];
        }),
      );
    },

    async alerts(_rule_ids, since) {
      const recent = matches.filter(({ matched_at }) => matched_at > since);
      return new Map(
        rules.map(({ id }) => {
          const own = recent.filter(({ rule_id }) => rule_id === id);
          return [id, new Set(own.flatMap(({ alert_id }) => alert_id ?? [])).size];
        }),
      );
    },

    async counts(_rule_ids, now) {
      const isWithin = (at: Date, span: number) => now.getTime() - at.getTime() < span;
      const recent = matches.filter(({ matched_at }) => isWithin(matched_at, COUNTED_MS));
      const judged = feedback.filter(({ created_at }) => isWithin(created_at, JUDGED_MS));
      return new Map(
        rules.map(({ id }) => {
          const own = recent.filter(({ rule_id }) => rule_id === id);
          const matched = own.filter(({ exception_id }) => exception_id === null);
          const verdicts = judged.filter(({ rule_id }) => rule_id === id).map(({ verdict }) => verdict);
          return [
            id,
            {
              matches_24h: matched.filter(({ matched_at }) => isWithin(matched_at, LAST_DAY_MS)).length,
              matches_7d: matched.length,
              suppressed_7d: own.filter(({ suppression_id }) => suppression_id !== null).length,
              excepted_7d: own.filter(({ exception_id }) => exception_id !== null).length,
              alerts_7d: new Set(own.flatMap(({ alert_id }) => alert_id ?? [])).size,
              true_positives_30d: verdicts.filter((verdict) => verdict === "true_positive").length,
              false_positives_30d: verdicts.filter((verdict) => verdict === "false_positive").length,
              last_error: null,
              last_error_at: null,
            },
          ];
        }),
      );
    },
  };
}
