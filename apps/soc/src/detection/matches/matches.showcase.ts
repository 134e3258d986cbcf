import { pageInMemory } from "../../foundation/lists/order.ts";
import { type Match, NEWEST_FIRST } from "./match.ts";
import type { MatchesStore } from "./matches.store.ts";

export function createShowcaseMatchesStore(matches: readonly Match[]): MatchesStore {
  return {
    list: async (rule_id, query) =>
      pageInMemory(
        matches.filter(
          (match) =>
            match.rule_id === rule_id &&
            (query.suppressed === undefined || query.suppressed === (match.suppression_id !== null)),
        ),
        NEWEST_FIRST,
        query,
      ),
    countDays: async (rule_id, from, to) => {
      const own = matches.filter(
        (match) => match.rule_id === rule_id && match.matched_at >= from && match.matched_at < to,
      );
      return new Set(own.map(({ matched_at }) => matched_at.toISOString().slice(0, "2026-01-01".length))).size;
    },
  };
}
