import { pageInMemory } from "../../foundation/lists/order.ts";
import { type Match, NEWEST_FIRST } from "./match.ts";
import type { MatchesStore } from "./matches.store.ts";

export function createShowcaseMatchesStore(matches: readonly Match[]): MatchesStore {
  return {
    list: async (rule_id, query) =>
      pageInMemory(
        matches,
        NEWEST_FIRST,
        query,
        (match) =>
          match.rule_id === rule_id &&
          (query.suppressed === undefined ||
            query.suppressed === (match.suppression_id !== null || match.exception_id !== null)),
      ),
    countDays: async (rule_ids, from, to) => {
      const days = new Map<string, Set<string>>();
      for (const { rule_id, matched_at } of matches) {
        if (!rule_ids.includes(rule_id) || matched_at < from || matched_at >= to) continue;
        days.set(rule_id, (days.get(rule_id) ?? new Set()).add(matched_at.toISOString().slice(0, "2026-01-01".length)));
      }
      return new Map([...days].map(([rule_id, those]) => [rule_id, those.size]));
    },
  };
}
