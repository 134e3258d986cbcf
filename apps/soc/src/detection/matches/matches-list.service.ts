import type { Caller } from "../../foundation/caller/caller.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { RulesService } from "../rules/rules.service.ts";
import type { Match } from "./match.ts";
import type { ListMatchesQuery } from "./matches.schema.ts";
import type { MatchesStore } from "./matches.store.ts";

export interface MatchesListServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: MatchesStore; showcase: MatchesStore };
  rules: Pick<RulesService, "get">;
}
export type MatchesListService = ReturnType<typeof createMatchesListService>;

export function createMatchesListService({ runtime, stores, rules }: MatchesListServiceDeps) {
  return {
    async list(caller: Caller, rule_id: string, query: ListMatchesQuery): Promise<Page<Match>> {
      const { id } = await rules.get(caller, rule_id);
      return (await runtime.choose(stores)).list(id, query);
    },

    /**
     * Counts the UTC days on which each rule had matches; for features whose caller may see the alerts of these rules.
     */
    async countDays(rule_ids: readonly string[], from: Date, to: Date): Promise<ReadonlyMap<string, number>> {
      return (await runtime.choose(stores)).countDays(rule_ids, from, to);
    },
  };
}
