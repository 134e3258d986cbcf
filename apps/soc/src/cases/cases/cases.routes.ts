import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { Deleted, PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { splitSeveral } from "../../foundation/lists/several.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import { type Case, SEVERAL_VALUES } from "./case.ts";
import {
  CaseBody,
  CaseDetailBody,
  CaseParams,
  CreateCaseRequest,
  ListCasesQuery,
  UpdateCaseRequest,
} from "./cases.schema.ts";
import type { CasesService } from "./cases.service.ts";

const reading = { needs: ["cases:read"], byKey: true, bySite: "records" } as const;
const change = { needs: ["cases:write"], effect: "change", byKey: true, bySite: "records" } as const;

export function casesRoutes(cases: CasesService, changes: Pick<ChangesService, "run">): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/cases",
      {
        config: reading,
        preValidation: splitSeveral(SEVERAL_VALUES),
        schema: {
          operationId: "listCases",
          summary: "List cases",
          querystring: ListCasesQuery,
          response: { 200: PageOf(CaseBody) },
        },
      },
      async (request) => cases.list(toScope(callerOf(request)), request.query),
    );
    app.post(
      "/cases",
      {
        config: change,
        schema: {
          operationId: "createCase",
          summary: "Create a case",
          body: CreateCaseRequest,
          response: { 200: PreviewOf(CaseBody), 201: CaseBody },
        },
      },
      async (request, reply) => {
        const opened = await changes.run(request, (tx, caller) => cases.open(tx, caller, request.body));
        return answerCase(reply, 201, opened);
      },
    );
    app.get(
      "/cases/:case_id",
      {
        config: reading,
        schema: {
          operationId: "getCase",
          summary: "Get a case",
          params: CaseParams,
          response: { 200: CaseDetailBody },
        },
      },
      async (request, reply) => {
        const detail = await cases.get(toScope(callerOf(request)), request.params.case_id);
        reply.header("etag", etagOf(detail));
        return detail;
      },
    );
    app.patch(
      "/cases/:case_id",
      {
        config: change,
        schema: {
          operationId: "updateCase",
          summary: "Update a case",
          params: CaseParams,
          body: UpdateCaseRequest,
          response: { 200: Type.Union([CaseBody, PreviewOf(CaseBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          cases.update(tx, caller, params.case_id, body, headers["if-match"]),
        );
        return answerCase(reply, 200, updated);
      },
    );
    app.delete(
      "/cases/:case_id",
      {
        config: { needs: ["cases:delete"], effect: "change", bySite: "records" },
        schema: {
          operationId: "deleteCase",
          summary: "Delete a case",
          params: CaseParams,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { params, headers } = request;
        const removed = await changes.run(request, (tx, caller) =>
          cases.remove(tx, caller, params.case_id, headers["if-match"]),
        );
        return answer(reply, 200, removed);
      },
    );
  };
}

/** Adds the version as ETag, for If-Match; a preview has none. */
function answerCase(reply: FastifyReply, status: 200 | 201, outcome: Outcome<Case>) {
  if (!outcome.dry_run) reply.header("etag", etagOf(outcome.result));
  return answer(reply, status, outcome);
}
