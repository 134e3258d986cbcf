import type { IncomingMessage, ServerResponse } from "node:http";
import { publishRequest } from "@kit/http/optional-fields";
import type { Log } from "@kit/log";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  type AuthInfo,
  type CallToolResult,
  createMcpHandler,
  McpServer,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { CallingAgent } from "./agent-permissions.ts";
import type { Tool } from "./tool.ts";
import { EnvelopeOf, FailureBody } from "./tools.schema.ts";
import type { Envelope, ToolsService } from "./tools.service.ts";

export interface McpServerDeps {
  tools: Pick<ToolsService, "all" | "listUsable" | "call">;
  log: Log;
}

/** The sender of a request and its agent. */
export interface McpSender {
  caller: Caller;
  agent: CallingAgent | undefined;
}

export type McpHandle = (
  sender: McpSender,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
) => Promise<void>;

const SERVER = { name: "manara-soc", title: "Manara SOC", version: "2.0" };
// The tools never change while the service runs; by default the SDK would promise notifications.
const CAPABILITIES = { tools: { listChanged: false } };

/** Serves the tools over the Model Context Protocol without sessions: each request is self-contained. */
export function createMcpHandle({ tools, log }: McpServerDeps): McpHandle {
  const senders = new WeakMap<AuthInfo, McpSender>();
  // Built once, because building the schemas costs as much as the rest of a request.
  const described = new Map(tools.all().map((tool) => [tool.name, describe(tool)]));

  const serve = toNodeHandler(
    createMcpHandler(
      ({ authInfo }) => {
        const sender = authInfo && senders.get(authInfo);
        if (!sender) throw new Error("an MCP request has no sender");
        const server = new McpServer(SERVER, { capabilities: CAPABILITIES });
        for (const { name } of tools.listUsable(sender.caller, sender.agent)) {
          const description = described.get(name);
          if (!description) throw new Error(`tool '${name}' is not described`);
          server.registerTool(name, description, async (input, { mcpReq }) =>
            toResult(await tools.call(sender.caller, name, input, { agent: sender.agent, signal: mcpReq.signal })),
          );
        }
        return server;
      },
      { maxSubscriptions: 0, onerror: (error) => log.info({ why: error.message }, "MCP request refused") },
    ),
    { onerror: (err) => log.error({ err }, "MCP request failed") },
  );

  return async ({ caller, agent }, request, response, body) => {
    const auth: AuthInfo = { token: "", clientId: caller.username, scopes: [] };
    senders.set(auth, { caller, agent });
    const { method = "POST", url = "/mcp" } = request;
    await serve(Object.assign(request, { auth, method, url }), response, body);
  };
}

function describe({ description, changes, input, output }: Tool) {
  return {
    description,
    inputSchema: toSchema(publishRequest(input)),
    // Includes refusals, because 1.x clients validate them against this schema.
    outputSchema: toSchema({ type: "object", anyOf: [EnvelopeOf(output), FailureBody] }),
    annotations: { readOnlyHint: !changes, openWorldHint: false },
  };
}

/**
 * Describes a schema without validating: the registry drops unknown fields, validates the input and returns a refusal
 * as an envelope. The SDK would refuse unknown fields with different messages.
 */
function toSchema(schema: object): StandardSchemaWithJSON<Record<string, unknown>> {
  // TypeBox schemas contain symbols, which must not be sent.
  const described = toRecord(JSON.parse(JSON.stringify(schema)));
  const jsonSchema = { input: () => described, output: () => described };
  const validate = (value: unknown) => ({ value: toRecord(value) });
  return { "~standard": { version: 1, vendor: "manara", validate, jsonSchema } };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function toResult(envelope: Envelope): CallToolResult {
  const text = JSON.stringify(envelope);
  return {
    content: [{ type: "text", text }],
    structuredContent: toRecord(JSON.parse(text)),
    isError: envelope.status === "error",
  };
}
