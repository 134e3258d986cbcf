import type { Caller } from "../../foundation/caller/caller.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isVisible } from "../../logs/hunts/hunt.ts";
import { buildVersion, isListed, toOrder } from "./rule.ts";
import { type FoundRule, NEWEST_VERSION_FIRST, type RulesStore } from "./rules.store.ts";

export function createShowcaseRulesStore(rules: readonly FoundRule[]): RulesStore {
  const visible = (caller: Caller) => rules.filter((rule) => isVisible(rule, caller));
  return {
    list: async (caller, query) =>
      pageInMemory(
        visible(caller).filter((rule) => isListed(rule, query)),
        toOrder(query.sort),
        query,
      ),

    find: async (caller, rule_id) => visible(caller).find(({ id }) => id === rule_id),

    async versions(rule_id, query) {
      const known = rules.filter(({ id }) => id === rule_id);
      const versions = known.map((rule) => buildVersion(rule, rule.id, rule.created_by));
      return pageInMemory(versions, NEWEST_VERSION_FIRST, query);
    },

    techniques: async (caller) => visible(caller).filter(({ enabled }) => enabled),
  };
}
