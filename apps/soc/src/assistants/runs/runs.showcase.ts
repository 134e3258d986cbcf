import { pageInMemory } from "../../foundation/lists/order.ts";
import { NEWEST_FIRST, type ShownInvestigation } from "./investigation.ts";
import { FILTERS, type RunsStore } from "./runs.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    investigations: ShownInvestigation[];
  }
}

export function createShowcaseRunsStore(investigations: readonly ShownInvestigation[]): RunsStore {
  const find = (id: string) => investigations.find(({ investigation_id }) => investigation_id === id);
  return {
    async list({ agent_id, ...query }) {
      const listed = investigations.filter(
        (each) =>
          FILTERS.every((filter) => query[filter] === undefined || query[filter] === each[filter]) &&
          (agent_id === undefined || each.agents.some((part) => part.agent_id === agent_id && part.run_id !== null)),
      );
      const { items, ...page } = pageInMemory(listed, NEWEST_FIRST, query);
      return { ...page, items: items.map(({ steps: _, findings: __, alert_context: ___, ...item }) => item) };
    },

    async find(investigation_id) {
      const found = find(investigation_id);
      if (!found) return undefined;
      const { steps: _, ...detail } = found;
      return detail;
    },

    listSteps: async (investigation_id) => find(investigation_id)?.steps ?? [],
    countQueue: async () => ({ queued: 0, running: 0, dropped_24h: 0 }),
  };
}
