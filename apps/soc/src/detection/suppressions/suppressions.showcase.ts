import { pageInMemory } from "../../foundation/lists/order.ts";
import { isActive, isListed, NEWEST_FIRST, type Suppression } from "./suppression.ts";
import type { SuppressionsStore } from "./suppressions.store.ts";

export function createShowcaseSuppressionsStore(suppressions: readonly Suppression[]): SuppressionsStore {
  const of = (id: string) => suppressions.filter(({ rule_id }) => rule_id === id);
  return {
    list: async (rule_id, query, now) =>
      pageInMemory(
        of(rule_id).filter((each) => isListed(each, query, now)),
        NEWEST_FIRST,
        query,
      ),
    listAll: async (_caller, query, now) =>
      pageInMemory(suppressions, NEWEST_FIRST, query, (each) => isListed(each, query, now)),
    listActive: async (rule_id, now) => of(rule_id).filter((each) => isActive(each, now)),
  };
}
