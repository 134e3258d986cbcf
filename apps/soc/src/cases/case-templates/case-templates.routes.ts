import { Deleted, PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, answerNewVersion, operation, type Routes } from "../../foundation/runtime/operation.ts";
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
      (request, reply) =>
        answerNewVersion(changes, request, reply, 201, (tx, caller) => templates.create(tx, caller, request.body)),
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
      (request, reply) =>
        answerNewVersion(changes, request, reply, 200, (tx, caller) =>
          templates.update(tx, caller, request.params.template_id, request.body, request.headers["if-match"]),
        ),
    );
    app.delete(
      "/case-templates/:template_id",
      operation("deleteCaseTemplate", "Delete a case template", change, {
        description: "Cases that were opened with it do not change.",
        params: CaseTemplateParams,
        response: { 200: WithPreviewOf(Deleted) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          templates.remove(tx, caller, request.params.template_id, request.headers["if-match"]),
        ),
    );
  };
}
