import type { AgentBody } from "@soc/service/contract/assistants/agents/agents";
import type { ToolBody } from "@soc/service/contract/assistants/tools/tools";
import type { SiteBody } from "@soc/service/contract/identity/sites/sites";
import type { Static } from "typebox";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type Agent = Wire<AgentBody>;
export type Tool = Pick<Static<typeof ToolBody>, "name" | "description" | "permission" | "changes">;
export type Site = Wire<SiteBody>;

type Query = Readonly<Record<string, QueryValue>>;

export const agentKeys = {
  tools: (id: string) => ["agents", "tools", id],
  sites: ["sites", "list"],
};

/** Maximum number of instances of an agent. */
export const MAX_INSTANCES = 10;

const path = (id: string) => `/agents/${encodeURIComponent(id)}`;

export function createAgentsClient(server: Server) {
  return {
    list: (query: Query, signal: AbortSignal) => server.get<ListResponse<Agent>>("/agents", { query, signal }),
    /** The tools of the agent, limited to those of the caller. The last two agents work only inside the platform. */
    tools: (id: string, signal: AbortSignal) =>
      server.get<{ items: Tool[] }>("/tools", { query: { agent_id: id }, signal }),
    sites: (signal: AbortSignal) => server.get<ListResponse<Site>>("/sites", { query: { limit: 200 }, signal }),
    enable: (id: string) => server.post<ChangeResult<Agent>>(`${path(id)}/enable`),
    disable: (id: string) => server.post<ChangeResult<Agent>>(`${path(id)}/disable`),
    deploy: (id: string, siteId: string) => server.post<ChangeResult<Agent>>(`${path(id)}/deploy`, { site_id: siteId }),
    undeploy: (id: string, siteId: string) =>
      server.post<ChangeResult<Agent>>(`${path(id)}/undeploy`, { site_id: siteId }),
    scale: (id: string, instances: number) => server.patch<ChangeResult<Agent>>(`${path(id)}/scale`, { instances }),
  };
}
