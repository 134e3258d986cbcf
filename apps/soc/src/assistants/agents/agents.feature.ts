import type { Base, Count, Registrations } from "../../foundation/base.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { SitesService } from "../../identity/module.ts";
import { countByStatus } from "./agent.ts";
import { agentsRoutes } from "./agents.routes.ts";
import type { AgentStatus } from "./agents.schema.ts";
import { createAgentsService } from "./agents.service.ts";
import { type CountRuns, createAgentsStore, createAgentsWriter, createShowcaseAgentsStore } from "./agents.store.ts";

export interface AgentsNeeds {
  sites: Pick<SitesService, "keep">;
  countRuns?: CountRuns;
}

/** For callers that need no runs. */
const NO_RUNS: CountRuns = async () => new Map();

const COUNT: Count<Record<AgentStatus, number>> = {
  stored: async (tx, now) => countByStatus(await createAgentsStore(tx, NO_RUNS).all(now)),
  shown: ({ agents }) => countByStatus(agents),
};

/**
 * Reports whether a site has agents. Sites call this and agents need the sites, so it depends only on the transaction.
 */
export async function hasAgents(tx: Tx, site_id: string): Promise<boolean> {
  return createAgentsWriter(tx).isDeployedTo(site_id);
}

export function createAgents(base: Base, { sites, countRuns = NO_RUNS }: AgentsNeeds) {
  const { runtime, changes, audit, clock } = base;
  const stores = base.sources(
    (db) => createAgentsStore(db, countRuns),
    (showcase) => createShowcaseAgentsStore(showcase.agents),
  );
  const agents = createAgentsService({ runtime, stores, sites, countRuns, audit, clock });
  return {
    services: { agents, count: COUNT },
    registrations: {
      routes: [agentsRoutes(agents, changes)],
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        const writer = createAgentsWriter(tx);
        for (const { sites: site_ids, runs_24h: _, ...state } of showcase.agents) {
          await writer.update(state);
          for (const site_id of site_ids) await writer.addSite(state.id, site_id, clock.now());
        }
      },
      readers: { agent: ["agents:read"] as const },
    } satisfies Registrations,
  };
}
