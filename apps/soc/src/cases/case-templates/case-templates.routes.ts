import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { Deleted, PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import type { CaseTemplate } from "./case-template.ts";
import {
  CaseTemplateBody,
  CaseTemplateParams,
  CreateTemplateRequest,
  UpdateTemplateRequest,
} from "./case-templates.schema.ts";
import type { CaseTemplatesService } from "./case-templates.service.ts";

const reading = { needs: ["cases:read"] } as const;
const change = { needs: ["cases:manage"], effect: "change" } as const;

export function caseTemplatesRoutes(
  templates: CaseTemplatesService,
  changes: Pick<ChangesService, "run">,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/case-templates",
      {
        config: reading,
        schema: {
          operationId: "listCaseTemplates",
          summary: "List case templates",
          querystring: PageQuery,
          response: { 200: PageOf(CaseTemplateBody) },
        },
      },
      async ({ query }) => templates.list(query),
    );
    app.post(
      "/case-templates",
      {
        config: change,
        schema: {
          operationId: "createCaseTemplate",
          summary: "Create a case template",
          body: CreateTemplateRequest,
          response: { 200: PreviewOf(CaseTemplateBody), 201: CaseTemplateBody },
        },
      },
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => templates.create(tx, caller, request.body));
        return answerTemplate(reply, 201, created);
      },
    );
    app.get(
      "/case-templates/:template_id",
      {
        config: reading,
        schema: {
          operationId: "getCaseTemplate",
          summary: "Get a case template",
          params: CaseTemplateParams,
          response: { 200: CaseTemplateBody },
        },
      },
      async ({ params }, reply) => {
        const found = await templates.get(params.template_id);
        reply.header("etag", etagOf(found));
        return found;
      },
    );
    app.patch(
      "/case-templates/:template_id",
      {
        config: change,
        schema: {
          operationId: "updateCaseTemplate",
          summary: "Update a case template",
          params: CaseTemplateParams,
          body: UpdateTemplateRequest,
          response: { 200: Type.Union([CaseTemplateBody, PreviewOf(CaseTemplateBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          templates.update(tx, caller, params.template_id, body, headers["if-match"]),
        );
        return answerTemplate(reply, 200, updated);
      },
    );
    app.delete(
      "/case-templates/:template_id",
      {
        config: change,
        schema: {
          operationId: "deleteCaseTemplate",
          summary: "Delete a case template",
          params: CaseTemplateParams,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
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

/** Adds the version as ETag, for If-Match; a preview has none. */
function answerTemplate(reply: FastifyReply, status: 200 | 201, outcome: Outcome<CaseTemplate>) {
  if (!outcome.dry_run) reply.header("etag", etagOf(outcome.result));
  return answer(reply, status, outcome);
}
