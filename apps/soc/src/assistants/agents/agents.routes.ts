import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { AgentBody, AgentPath, ListAgentsQuery, ScaleAgentRequest, SiteOfAgentRequest } from "./agents.schema.ts";
import type { AgentsService } from "./agents.service.ts";

const CONFIG = { needs: ["agents:manage"], effect: "change" } as const;
const RESPONSE = { 200: Type.Union([AgentBody, PreviewOf(AgentBody)]) };

export function agentsRoutes(agents: AgentsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/agents",
      {
        config: { needs: ["agents:read"] },
        schema: {
          operationId: "listAgents",
          summary: "List agents",
          querystring: ListAgentsQuery,
          response: { 200: PageOf(AgentBody) },
        },
      },
      async ({ query }) => agents.list(query),
    );

    app.post(
      "/agents/:id/enable",
      {
        config: CONFIG,
        schema: { operationId: "enableAgent", summary: "Enable an agent", params: AgentPath, response: RESPONSE },
      },
      async (request, reply) => {
        const changed = await changes.run(request, (tx, caller) => agents.enable(tx, caller, request.params.id));
        return answer(reply, 200, changed);
      },
    );

    app.post(
      "/agents/:id/disable",
      {
        config: CONFIG,
        schema: { operationId: "disableAgent", summary: "Disable an agent", params: AgentPath, response: RESPONSE },
      },
      async (request, reply) => {
        const changed = await changes.run(request, (tx, caller) => agents.disable(tx, caller, request.params.id));
        return answer(reply, 200, changed);
      },
    );

    app.post(
      "/agents/:id/deploy",
      {
        config: CONFIG,
        schema: {
          operationId: "deployAgent",
          summary: "Deploy an agent to a site",
          params: AgentPath,
          body: SiteOfAgentRequest,
          response: RESPONSE,
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const changed = await changes.run(request, (tx, caller) => agents.deploy(tx, caller, params.id, body.site_id));
        return answer(reply, 200, changed);
      },
    );

    app.post(
      "/agents/:id/undeploy",
      {
        config: CONFIG,
        schema: {
          operationId: "undeployAgent",
          summary: "Remove an agent from a site",
          params: AgentPath,
          body: SiteOfAgentRequest,
          response: RESPONSE,
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const changed = await changes.run(request, (tx, caller) =>
          agents.undeploy(tx, caller, params.id, body.site_id),
        );
        return answer(reply, 200, changed);
      },
    );

    app.patch(
      "/agents/:id/scale",
      {
        config: CONFIG,
        schema: {
          operationId: "scaleAgent",
          summary: "Set the number of instances of an agent",
          params: AgentPath,
          body: ScaleAgentRequest,
          response: RESPONSE,
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const changed = await changes.run(request, (tx, caller) => agents.scale(tx, caller, params.id, body.instances));
        return answer(reply, 200, changed);
      },
    );
  };
}
