import { pageInMemory } from "../../foundation/lists/order.ts";
import { isListed, NEWEST_FIRST, type Run } from "./run.ts";
import type { RunsStore } from "./runs.store.ts";

export function createShowcaseRunsStore(runs: readonly Run[]): RunsStore {
  return {
    list: async (rule_id, query) =>
      pageInMemory(runs, NEWEST_FIRST, query, (run) => run.rule_id === rule_id && isListed(run, query)),
  };
}
