import { type Caller, isCallerAllowed } from "../../foundation/caller/caller.ts";
import { PERMISSIONS } from "../../foundation/caller/permissions.schema.ts";
import { type AgentDefinition, findDefinition } from "../agents/catalog.ts";

/** The fields of the calling agent that a call needs. */
export type CallingAgent = Pick<AgentDefinition, "name" | "permissions">;

/** Agents that work only inside the platform. */
const NOT_IN_CATALOG: readonly AgentDefinition["name"][] = ["ReportAgent", "SupervisorAgent"];

/** Finds an agent of the tool catalog by id (`agent-001`) or PascalCase name. */
export function findCatalogAgent(agent_id: string): CallingAgent | undefined {
  const agent = findDefinition(agent_id);
  return agent && !NOT_IN_CATALOG.includes(agent.name) ? agent : undefined;
}

/**
 * Reduces the caller to the permissions that both the caller and the agent have. `approvals:manage` is always removed,
 * because no tool decides an approval or ends the wait for one.
 */
export function cutCaller(caller: Caller, agent: CallingAgent | undefined): Caller {
  const held = agent === undefined ? PERMISSIONS : agent.permissions;
  const scopes = held.filter((each) => each !== "approvals:manage" && isCallerAllowed(caller, [each]));
  return { ...caller, scopes };
}
