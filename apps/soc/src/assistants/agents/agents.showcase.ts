import type { AgentFacts } from "./agent.ts";
import type { AgentsStore } from "./agents.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    agents: AgentFacts[];
  }
}

export function createShowcaseAgentsStore(agents: readonly AgentFacts[]): AgentsStore {
  return { all: async () => [...agents] };
}
