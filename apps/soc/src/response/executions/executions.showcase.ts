import { pageInMemory } from "../../foundation/lists/order.ts";
import { type ExecutionDetail, NEWEST_FIRST } from "./execution.ts";
import { type ExecutionsStore, FILTERS } from "./executions.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    executions: ExecutionDetail[];
  }
}

export function createShowcaseExecutionsStore(executions: readonly ExecutionDetail[]): ExecutionsStore {
  return {
    list: async (query) =>
      pageInMemory(executions, NEWEST_FIRST, query, (execution) =>
        FILTERS.every((filter) => query[filter] === undefined || query[filter] === execution[filter]),
      ),

    find: async (execution_id) => executions.find((execution) => execution.execution_id === execution_id),
  };
}
