import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { Deleted, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import type { Automation } from "./automation.ts";
import {
  AutomationBody,
  AutomationPath,
  AutomationsPage,
  CreateAutomationRequest,
  FiringsPage,
  UpdateAutomationRequest,
} from "./automations.schema.ts";
import type { AutomationsService } from "./automations.service.ts";

const reading = { needs: ["soar:read"] } as const;
const change = { needs: ["soar:manage"], effect: "change" } as const;

export function automationsRoutes(automations: AutomationsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/soar/automations",
      {
        config: reading,
        schema: {
          operationId: "listAutomations",
          summary: "List automations",
          querystring: PageQuery,
          response: { 200: AutomationsPage },
        },
      },
      async ({ query }) => automations.list(query),
    );

    app.post(
      "/soar/automations",
      {
        config: change,
        schema: {
          operationId: "createAutomation",
          summary: "Create an automation",
          body: CreateAutomationRequest,
          response: { 200: PreviewOf(AutomationBody), 201: AutomationBody },
        },
      },
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => automations.create(tx, caller, request.body));
        return answerAutomation(reply, 201, created);
      },
    );

    app.get(
      "/soar/automations/:id",
      {
        config: reading,
        schema: {
          operationId: "getAutomation",
          summary: "Get an automation",
          params: AutomationPath,
          response: { 200: AutomationBody },
        },
      },
      async ({ params }, reply) => {
        return answerAutomation(reply, 200, { dry_run: false, result: await automations.get(params.id) });
      },
    );

    app.patch(
      "/soar/automations/:id",
      {
        config: change,
        schema: {
          operationId: "updateAutomation",
          summary: "Update an automation",
          params: AutomationPath,
          body: UpdateAutomationRequest,
          response: { 200: Type.Union([AutomationBody, PreviewOf(AutomationBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          automations.update(tx, caller, params.id, body, headers["if-match"]),
        );
        return answerAutomation(reply, 200, updated);
      },
    );

    app.delete(
      "/soar/automations/:id",
      {
        config: change,
        schema: {
          operationId: "deleteAutomation",
          summary: "Delete an automation",
          params: AutomationPath,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { params, headers } = request;
        const deleted = await changes.run(request, (tx, caller) =>
          automations.remove(tx, caller, params.id, headers["if-match"]),
        );
        return answer(reply, 200, deleted);
      },
    );

    app.get(
      "/soar/automations/:id/firings",
      {
        config: reading,
        schema: {
          operationId: "listAutomationFirings",
          summary: "List the firings of an automation",
          params: AutomationPath,
          querystring: PageQuery,
          response: { 200: FiringsPage },
        },
      },
      async ({ params, query }) => automations.listFirings(params.id, query),
    );
  };
}

/** Sets the ETag for If-Match; a preview has none. */
function answerAutomation(reply: FastifyReply, status: 200 | 201, outcome: Outcome<Automation>) {
  if (!outcome.dry_run) reply.header("etag", etagOf(outcome.result));
  return answer(reply, status, outcome);
}
