import { Problem } from "@kit/problem";
import type { Base } from "../../foundation/base.ts";
import type { Registrations } from "../../foundation/registrations.ts";
import { mcpRoutes } from "./mcp.routes.ts";
import type { McpHandle } from "./mcp-server.ts";
import { createOwnHost, type OwnNames } from "./own-host.ts";
import { createToolRegistry, type ToolRegistryDeps } from "./tool-registry.ts";
import { toolsRoutes } from "./tools.routes.ts";
import { createToolsService, type ToolsServiceDeps } from "./tools.service.ts";

export interface ToolsNeeds extends Omit<ToolRegistryDeps, "clock" | "closing"> {
  agents: ToolsServiceDeps["agents"];
  publicUrl?: OwnNames["publicUrl"];
  machine: Pick<OwnNames, "hostname">;
}

/** The tools of agents and models, by HTTP and by MCP. */
export function createTools(base: Base, { agents, publicUrl, machine, ...needs }: ToolsNeeds) {
  const { runtime, changes, clock, log } = base;
  const stopping = new AbortController();
  const registry = createToolRegistry({ ...needs, clock, closing: stopping.signal });
  const tools = createToolsService({ tools: registry, runtime, changes, agents, clock, log });
  const ownHost = createOwnHost({ publicUrl, hostname: machine.hostname });
  let opened: Promise<McpHandle> | undefined;
  /** The SDK is loaded with the first request: most of its start would be spent in processes that never serve it. */
  const open = () => {
    opened ??= import("./mcp-server.ts").then(({ createMcpHandle }) => createMcpHandle({ tools, log }));
    return opened;
  };
  return {
    services: { tools },
    registrations: {
      routes: [toolsRoutes(tools)],
      rootRoutes: [mcpRoutes({ tools, ownHost, open })],
      serving: [
        {
          start: () => undefined,
          close: () => stopping.abort(new Problem("unavailable", "the service is stopping")),
        },
      ],
    } satisfies Registrations,
  };
}
