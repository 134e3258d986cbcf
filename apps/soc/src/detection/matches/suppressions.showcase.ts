import { pageInMemory } from "../../foundation/lists/order.ts";
import { isActive, NEWEST_FIRST, type Suppression } from "./suppression.ts";
import type { SuppressionsStore } from "./suppressions.store.ts";

export function createShowcaseSuppressionsStore(suppressions: readonly Suppression[]): SuppressionsStore {
  const of = (id: string) => suppressions.filter(({ rule_id }) => rule_id === id);
  return {
    list: async (rule_id, query, now) =>
      pageInMemory(
        of(rule_id).filter((each) => query.active === undefined || query.active === isActive(each, now)),
        NEWEST_FIRST,
        query,
      ),
    listActive: async (rule_id, now) => of(rule_id).filter((each) => isActive(each, now)),
  };
}
