import { PageOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { AgentBody, AgentPath, ListAgentsQuery, ScaleAgentRequest, SiteOfAgentRequest } from "./agents.schema.ts";
import type { AgentsService } from "./agents.service.ts";

const CONFIG = { needs: ["agents:manage"], effect: "change" } as const;
const RESPONSE = { 200: WithPreviewOf(AgentBody) };

export function agentsRoutes(agents: AgentsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/agents",
      operation(
        "listAgents",
        "List agents",
        { needs: ["agents:read"] },
        {
          description: "In the order of their ids.",
          querystring: ListAgentsQuery,
          response: { 200: PageOf(AgentBody) },
        },
      ),
      async ({ query }) => agents.list(query),
    );

    app.post(
      "/agents/:id/enable",
      operation("enableAgent", "Enable an agent", CONFIG, { params: AgentPath, response: RESPONSE }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => agents.enable(tx, caller, request.params.id)),
    );

    app.post(
      "/agents/:id/disable",
      operation("disableAgent", "Disable an agent", CONFIG, { params: AgentPath, response: RESPONSE }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => agents.disable(tx, caller, request.params.id)),
    );

    app.post(
      "/agents/:id/deploy",
      operation("deployAgent", "Deploy an agent to a site", CONFIG, {
        description: "`site_id` is an id or a name. 404 for an unknown site, 409 where agent and site do not fit.",
        params: AgentPath,
        body: SiteOfAgentRequest,
        response: RESPONSE,
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          agents.deploy(tx, caller, request.params.id, request.body.site_id),
        ),
    );

    app.post(
      "/agents/:id/undeploy",
      operation("undeployAgent", "Remove an agent from a site", CONFIG, {
        description: "404 where the agent is not deployed.",
        params: AgentPath,
        body: SiteOfAgentRequest,
        response: RESPONSE,
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          agents.undeploy(tx, caller, request.params.id, request.body.site_id),
        ),
    );

    app.patch(
      "/agents/:id/scale",
      operation("scaleAgent", "Set the number of instances of an agent", CONFIG, {
        params: AgentPath,
        body: ScaleAgentRequest,
        response: RESPONSE,
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          agents.scale(tx, caller, request.params.id, request.body.instances),
        ),
    );
  };
}
