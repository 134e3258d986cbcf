import { publishRequest } from "@kit/http/optional-fields";
import { closeAfterUnreadBody } from "@kit/http/problems";
import { Problem } from "@kit/problem";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf } from "../../foundation/lists/lists.schema.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../../logs/module.ts";
import type { Tool } from "./tool.ts";
import { CALL_OPTIONS, EnvelopeOf, FailureBody, ListToolsQuery, ToolBody } from "./tools.schema.ts";
import { parseAgent, type ToolsService, toFailure } from "./tools.service.ts";

/** A call is answered with 200 and an envelope, except for these errors. */
const OWN_STATUS: readonly string[] = ["unauthenticated", "forbidden", "rate_limited"];

export function toolsRoutes(tools: ToolsService): Routes {
  return async (app) => {
    app.get(
      "/tools",
      operation(
        "listTools",
        "List tools",
        { needs: "authenticated", byKey: true, bySite: "records" },
        {
          description: "Those that the caller, restricted by the agent, may use.",
          querystring: ListToolsQuery,
          response: { 200: PageOf(ToolBody) },
        },
      ),
      async (request) => {
        const { items, ...page } = tools.list(callerOf(request), request.query);
        return { ...page, items: items.map(toToolBody) };
      },
    );
    for (const tool of tools.all()) await app.register(toolRoute(tools, tool));
  };
}

/** Registers a route per tool. Its permission, effect and limits are checked before the body is read. */
function toolRoute(tools: ToolsService, tool: Tool): Routes {
  const { name, permission, changes, isPlaybookExecution = false, readsLogs, bySite, input, output } = tool;
  const noun = name.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const Body = Type.Object(
    { ...CALL_OPTIONS, ...input.properties },
    { title: `${noun}ToolRequest`, additionalProperties: false },
  );
  const Envelope = EnvelopeOf(output, { title: `${noun}ToolResult` });
  return async (app) => {
    app.setErrorHandler((error, request, reply) => {
      const isEnvelope =
        error instanceof Problem && (error.code === "mode_blocked" || !OWN_STATUS.includes(error.kind));
      if (!isEnvelope) throw error;
      closeAfterUnreadBody(request, reply);
      return reply.code(200).send(toFailure(error));
    });
    app.post(
      `/tools/${name}`,
      operation(
        `call${noun}Tool`,
        `Call the tool ${name}`,
        {
          ...{ needs: [permission], byKey: true, effect: changes ? "change" : "none", isPlaybookExecution },
          ...(readsLogs && { logLane: "people" }),
          ...(bySite && { bySite: "records" }),
        },
        { body: Body, response: { 200: Type.Union([FailureBody, Envelope]) } },
      ),
      async (request, reply) => {
        const { agent_id, budget_ms: budgetMs, ...given } = request.body;
        const options = { agent: parseAgent(agent_id), budgetMs, signal: abortOnDisconnect(reply) };
        return tools.call(callerOf(request), name, given, options);
      },
    );
  };
}

function toToolBody({ name, description, permission, changes, budgetMs, input, output }: Tool) {
  const schemas = { input_schema: publishRequest(input), output_schema: { ...EnvelopeOf(output) } };
  return { name, description, permission, changes, budget_ms: budgetMs, ...schemas };
}
