import { Problem } from "@kit/problem";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { isRecord } from "../../response/module.ts";
import { McpMessage, McpQuery, ProtectedResourceBody } from "./mcp.schema.ts";
import type { McpHandle } from "./mcp-server.ts";
import type { OwnHost } from "./own-host.ts";
import type { Tool } from "./tool.ts";
import { parseAgent, type ToolsService } from "./tools.service.ts";

export interface McpRoutesDeps {
  tools: Pick<ToolsService, "find">;
  ownHost: OwnHost;
  /** Loads the SDK on the first request. */
  open: () => Promise<McpHandle>;
}

const METADATA = "/.well-known/oauth-protected-resource/mcp";

export function mcpRoutes({ tools, ownHost, open }: McpRoutesDeps): Routes {
  const findCalled = (body: unknown): Tool | undefined => {
    const name = readCalledName(body);
    return name === undefined ? undefined : tools.find(name);
  };
  const config = { needs: "authenticated", byKey: true, bySite: "records", effect: "none" } as const;

  return async (app) => {
    app.addHook("onRequest", async (request) => ownHost.require(request));
    app.addHook("onSend", async (request, reply) => {
      if (reply.statusCode !== 401) return;
      const base = ownHost.findBaseUrl(request);
      reply.header("www-authenticate", base ? `Bearer resource_metadata="${base}${METADATA}"` : "Bearer");
    });

    app.post(
      "/mcp",
      operation(
        "sendMcpMessage",
        "Send an MCP message",
        {
          ...config,
          isPlaybookExecutionBody: (body) => findCalled(body)?.isPlaybookExecution ?? false,
          logLane: (body) => (findCalled(body)?.readsLogs ? "people" : undefined),
        },
        {
          description:
            "One message of Streamable HTTP, revisions 2026-07-28 and 2025-11-25. A 401 names the metadata document in `WWW-Authenticate`.",
          querystring: McpQuery,
          body: McpMessage,
        },
      ),
      async (request, reply) => {
        const sender = { caller: callerOf(request), agent: parseAgent(request.query.agent_id) };
        const handle = await open();
        for (const [name, value] of Object.entries(reply.getHeaders())) {
          if (value !== undefined) reply.raw.setHeader(name, value);
        }
        reply.hijack();
        await handle(sender, request.raw, reply.raw, request.body);
      },
    );

    // Revision 2025-11-25 opens a stream with GET and ends a session with DELETE; this server has neither.
    for (const { method, ...refused } of [
      { method: "GET", operationId: "openMcpStream", summary: "Refuse to open an MCP stream" },
      { method: "DELETE", operationId: "endMcpSession", summary: "Refuse to end an MCP session" },
    ] as const) {
      app.route({
        method,
        url: "/mcp",
        config,
        schema: { ...refused, response: { 405: Type.Object({ detail: Type.String() }, { title: "Problem" }) } },
        handler: async (_request, reply) =>
          reply.code(405).header("allow", "POST").send({ detail: "MCP supports only POST" }),
      });
    }

    app.get(
      METADATA,
      operation(
        "getMcpResourceMetadata",
        "Get the OAuth metadata of the MCP server",
        { needs: "public" },
        { description: "RFC 9728.", response: { 200: ProtectedResourceBody } },
      ),
      async (request) => {
        const base = ownHost.findBaseUrl(request);
        if (base === undefined) throw new Problem("forbidden", "Host: is not a name of this service");
        return { resource: `${base}/mcp`, resource_name: "Manara SOC", bearer_methods_supported: ["header"] };
      },
    );
  };
}

/** Returns the name of the tool that a JSON-RPC message calls. */
function readCalledName(body: unknown): string | undefined {
  if (!isRecord(body) || body.method !== "tools/call" || !isRecord(body.params)) return undefined;
  return typeof body.params.name === "string" ? body.params.name : undefined;
}
