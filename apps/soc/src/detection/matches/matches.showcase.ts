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
  };
}
