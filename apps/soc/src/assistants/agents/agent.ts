import type { Order } from "../../foundation/lists/order.ts";
import { AGENT_NAMES, type AgentId } from "./agent-names.ts";
import type { AgentBody, AgentStatus, ListAgentsQuery } from "./agents.schema.ts";
import { CATALOG } from "./catalog.ts";

export type Agent = AgentBody;

/** The part of an agent's record that changes; the rest is in the catalog. */
export interface AgentState {
  id: AgentId;
  status: AgentStatus;
  instances: number;
  last_active: Date | null;
  /** The last failure. It stays while the agent is disabled and is cleared when the agent is enabled. */
  error: string | null;
}

/** The state with facts from other tables. */
export interface AgentFacts extends AgentState {
  sites: string[];
  runs_24h: number;
}

const IDS: readonly string[] = Object.keys(AGENT_NAMES);

export const BY_ID: Order<Agent> = { name: "id", direction: "asc", columns: [{ name: "id", kind: IDS }] };

/** Returns the agents of the catalog, because a later release may have stored more. */
export function toAgents(facts: readonly AgentFacts[]): Agent[] {
  return CATALOG.flatMap(({ id, name, type, capabilities, asset_classes }) =>
    facts
      .filter((each) => each.id === id)
      .map(({ sites, status, instances, last_active, runs_24h, error }) => ({
        ...{ id, name, type, sites, status, instances },
        ...{ capabilities: [...capabilities], asset_classes: [...asset_classes] },
        ...{ last_active, runs_24h, error },
      })),
  );
}

export function isListed({ site, status, type }: ListAgentsQuery, agent: Agent): boolean {
  return (
    // Site ids are UUIDs, which ignore case.
    (site === undefined || agent.sites.includes(site.toLowerCase())) &&
    (status === undefined || agent.status === status) &&
    (type === undefined || agent.type === type)
  );
}

export function countByStatus(states: readonly Pick<AgentState, "status">[]): Record<AgentStatus, number> {
  const count = (status: AgentStatus) => states.filter((each) => each.status === status).length;
  return { active: count("active"), disabled: count("disabled"), error: count("error") };
}
