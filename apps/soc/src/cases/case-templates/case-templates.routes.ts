import { Deleted, PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerVersion, operation, type Routes } from "../../foundation/runtime/operation.ts";
import {
  CaseTemplateBody,
  CaseTemplateParams,
  CreateTemplateRequest,
  UpdateTemplateRequest,
} from "./case-templates.schema.ts";
import type { CaseTemplatesService } from "./case-templates.service.ts";

const reading = { needs: ["cases:read"] } as const;
const change = { needs: ["cases:manage"], effect: "change" } as const;

export function caseTemplatesRoutes(templates: CaseTemplatesService, changes: Pick<ChangesService, "run">): Routes {
  return async (app) => {
    app.get(
      "/case-templates",
      operation("listCaseTemplates", "List case templates", reading, {
        querystring: PageQuery,
        response: { 200: PageOf(CaseTemplateBody) },
      }),
      async ({ query }) => templates.list(query),
    );
    app.post(
      "/case-templates",
      operation("createCaseTemplate", "Create a case template", change, {
        description: "At most 200 templates exist. `name` is unique.",
        body: CreateTemplateRequest,
        response: { 200: PreviewOf(CaseTemplateBody), 201: CaseTemplateBody },
      }),
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => templates.create(tx, caller, request.body));
        return answerVersion(reply, 201, created);
      },
    );
    app.get(
      "/case-templates/:template_id",
      operation("getCaseTemplate", "Get a case template", reading, {
        params: CaseTemplateParams,
        response: { 200: CaseTemplateBody },
      }),
      async ({ params }, reply) => {
        const found = await templates.get(params.template_id);
        reply.header("etag", etagOf(found));
        return found;
      },
    );
    app.patch(
      "/case-templates/:template_id",
      operation("updateCaseTemplate", "Update a case template", change, {
        params: CaseTemplateParams,
        body: UpdateTemplateRequest,
        response: { 200: WithPreviewOf(CaseTemplateBody) },
      }),
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          templates.update(tx, caller, params.template_id, body, headers["if-match"]),
        );
        return answerVersion(reply, 200, updated);
      },
    );
    app.delete(
      "/case-templates/:template_id",
      operation("deleteCaseTemplate", "Delete a case template", change, {
        description: "Cases that were opened with it do not change.",
        params: CaseTemplateParams,
        response: { 200: WithPreviewOf(Deleted) },
      }),
      async (request, reply) => {
        const { params, headers } = request;
        const removed = await changes.run(request, (tx, caller) =>
          templates.remove(tx, caller, params.template_id, headers["if-match"]),
        );
        return answer(reply, 200, removed);
      },
    );
  };
}
