import { Problem } from "@kit/problem";
import type { Base, Registrations } from "../../foundation/base.ts";
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

/** Serves the tools for agents and models over HTTP and MCP. */
export function createTools(base: Base, { agents, publicUrl, machine, ...needs }: ToolsNeeds) {
  const { runtime, changes, clock, log } = base;
  const stopping = new AbortController();
  const registry = createToolRegistry({ ...needs, clock, closing: stopping.signal });
  const tools = createToolsService({ tools: registry, runtime, changes, agents, clock, log });
  const ownHost = createOwnHost({ publicUrl, hostname: machine.hostname });
  let opened: Promise<McpHandle> | undefined;
  /** Loaded on the first request, because most processes never serve it. */
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
