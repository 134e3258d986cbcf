import type { Caller } from "../../foundation/caller/caller.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isVisible } from "../../logs/module.ts";
import { buildVersion, isListed, toOrder } from "./rule.ts";
import { type FoundRule, NEWEST_VERSION_FIRST, type RulesStore } from "./rules.store.ts";

export function createShowcaseRulesStore(rules: readonly FoundRule[]): RulesStore {
  const visible = (caller: Caller) => rules.filter((rule) => isVisible(rule, caller));
  const listVersions = (rule_id: string) =>
    rules.filter(({ id }) => id === rule_id).map((rule) => buildVersion(rule, rule.id, rule.created_by));
  return {
    list: async (caller, query) =>
      pageInMemory(
        visible(caller).filter((rule) => isListed(rule, query)),
        toOrder(query.sort),
        query,
      ),

    find: async (caller, rule_id) => visible(caller).find(({ id }) => id === rule_id),

    versions: async (rule_id, query) => pageInMemory(listVersions(rule_id), NEWEST_VERSION_FIRST, query),

    findVersion: async (rule_id, version) => listVersions(rule_id).find((each) => each.version === version),

    next: async (caller, filter, after = "", limit) =>
      visible(caller)
        .filter((rule) => rule.id > after && isListed(rule, filter))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit),

    techniques: async (caller, filter) => visible(caller).filter((rule) => rule.enabled && isListed(rule, filter)),
  };
}
