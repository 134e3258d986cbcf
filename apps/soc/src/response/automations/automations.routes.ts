import { Deleted, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import {
  answerChange,
  answerNewVersion,
  answerVersion,
  operation,
  type Routes,
} from "../../foundation/runtime/operation.ts";
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
/** It starts playbooks without a person. */
const writing = { ...change, stepUp: true } as const;

export function automationsRoutes(automations: AutomationsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/soar/automations",
      operation("listAutomations", "List automations", reading, {
        querystring: PageQuery,
        response: { 200: AutomationsPage },
      }),
      async ({ query }) => automations.list(query),
    );

    app.post(
      "/soar/automations",
      operation("createAutomation", "Create an automation", writing, {
        body: CreateAutomationRequest,
        response: { 200: PreviewOf(AutomationBody), 201: AutomationBody },
      }),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 201, (tx, caller) => automations.create(tx, caller, request.body)),
    );

    app.get(
      "/soar/automations/:id",
      operation("getAutomation", "Get an automation", reading, {
        params: AutomationPath,
        response: { 200: AutomationBody },
      }),
      async ({ params }, reply) => {
        return answerVersion(reply, 200, { dry_run: false, result: await automations.get(params.id) });
      },
    );

    app.patch(
      "/soar/automations/:id",
      operation("updateAutomation", "Update an automation", writing, {
        params: AutomationPath,
        body: UpdateAutomationRequest,
        response: { 200: WithPreviewOf(AutomationBody) },
      }),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 200, (tx, caller) =>
          automations.update(tx, caller, request.params.id, request.body, request.headers["if-match"]),
        ),
    );

    app.delete(
      "/soar/automations/:id",
      operation("deleteAutomation", "Delete an automation", change, {
        params: AutomationPath,
        response: { 200: WithPreviewOf(Deleted) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          automations.remove(tx, caller, request.params.id, request.headers["if-match"]),
        ),
    );

    app.get(
      "/soar/automations/:id/firings",
      operation("listAutomationFirings", "List the firings of an automation", reading, {
        params: AutomationPath,
        querystring: PageQuery,
        response: { 200: FiringsPage },
      }),
      async ({ params, query }) => automations.listFirings(params.id, query),
    );
  };
}
