import type { AgentBody } from "@soc/service/contract/assistants/agents/agents";
import type { ToolBody } from "@soc/service/contract/assistants/tools/tools";
import type { SiteBody } from "@soc/service/contract/identity/sites/sites";
import type { Static } from "typebox";
import type { Changed } from "../../../app/server/changed.ts";
import type { QueryValue, Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type Agent = Wire<AgentBody>;
export type Tool = Pick<Static<typeof ToolBody>, "name" | "description" | "permission" | "changes">;
export type Site = Wire<SiteBody>;

type Query = Readonly<Record<string, QueryValue>>;

export const agentKeys = {
  tools: (id: string) => ["agents", "tools", id],
  sites: ["sites", "list"],
};

/** An agent runs in at most so many instances at a time. */
export const MAX_INSTANCES = 10;

const path = (id: string) => `/agents/${encodeURIComponent(id)}`;

export function createAgentsClient(server: Server) {
  return {
    list: (query: Query, signal: AbortSignal) => server.get<Listed<Agent>>("/agents", { query, signal }),
    /** What the agent may use, cut by what the caller may. The last two agents work only inside the platform. */
    tools: (id: string, signal: AbortSignal) =>
      server.get<{ items: Tool[] }>("/tools", { query: { agent_id: id }, signal }),
    sites: (signal: AbortSignal) => server.get<Listed<Site>>("/sites", { query: { limit: 200 }, signal }),
    enable: (id: string) => server.post<Changed<Agent>>(`${path(id)}/enable`),
    disable: (id: string) => server.post<Changed<Agent>>(`${path(id)}/disable`),
    deploy: (id: string, siteId: string) => server.post<Changed<Agent>>(`${path(id)}/deploy`, { site_id: siteId }),
    undeploy: (id: string, siteId: string) => server.post<Changed<Agent>>(`${path(id)}/undeploy`, { site_id: siteId }),
    scale: (id: string, instances: number) => server.patch<Changed<Agent>>(`${path(id)}/scale`, { instances }),
  };
}
