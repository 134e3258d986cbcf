import { type Caller, isCallerAllowed } from "../../foundation/caller/caller.ts";
import { PERMISSIONS } from "../../foundation/caller/permissions.schema.ts";
import { type AgentDefinition, findDefinition } from "../agents/catalog.ts";

/** What a call needs to know of the agent that makes it. */
export type CallingAgent = Pick<AgentDefinition, "name" | "permissions">;

/** They work only inside the platform. */
const NOT_IN_CATALOG: readonly AgentDefinition["name"][] = ["ReportAgent", "SupervisorAgent"];

/** An agent of the tool catalog by its id (`agent-001`) or its PascalCase name. */
export function findCatalogAgent(agent_id: string): CallingAgent | undefined {
  const agent = findDefinition(agent_id);
  return agent && !NOT_IN_CATALOG.includes(agent.name) ? agent : undefined;
}

/**
 * The caller with the permissions that both the caller and the agent hold. No tool decides an approval or undoes the
 * wait for one, so `approvals:manage` is always left out.
 */
export function cutCaller(caller: Caller, agent: CallingAgent | undefined): Caller {
  const held = agent === undefined ? PERMISSIONS : agent.permissions;
  const scopes = held.filter((each) => each !== "approvals:manage" && isCallerAllowed(caller, [each]));
  return { ...caller, scopes };
}
