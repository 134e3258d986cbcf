import type { Caller } from "../auth/caller.ts";
import type { Page } from "../lists/page.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import type { Match } from "./match.ts";
import type { ListMatchesQuery } from "./matches.schema.ts";
import type { MatchesStore } from "./matches.store.ts";
import type { RulesService } from "./rules.service.ts";

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
  };
}
