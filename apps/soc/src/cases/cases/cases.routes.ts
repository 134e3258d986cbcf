import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { parseMultiValueParams } from "../../foundation/lists/multi-value-params.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, answerNewVersion, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { ME, SEVERAL_VALUES } from "./case.ts";
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

export function casesRoutes(cases: CasesService, changes: Pick<ChangesService, "run">): Routes {
  return async (app) => {
    app.get(
      "/cases",
      {
        ...operation("listCases", "List cases", reading, {
          querystring: ListCasesQuery,
          response: { 200: PageOf(CaseBody) },
        }),
        preValidation: parseMultiValueParams(SEVERAL_VALUES),
      },
      async (request) => {
        const caller = callerOf(request);
        const assignee = request.query.assignee?.map((name) => (name === ME ? caller.username : name));
        return cases.list(toScope(caller), { ...request.query, ...(assignee && { assignee }) });
      },
    );
    app.post(
      "/cases",
      operation("createCase", "Create a case", change, {
        body: CreateCaseRequest,
        response: { 200: PreviewOf(CaseBody), 201: CaseBody },
      }),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 201, (tx, caller) => cases.open(tx, caller, request.body)),
    );
    app.get(
      "/cases/:case_id",
      operation("getCase", "Get a case", reading, { params: CaseParams, response: { 200: CaseDetailBody } }),
      async (request, reply) => {
        const detail = await cases.get(toScope(callerOf(request)), request.params.case_id);
        reply.header("etag", etagOf(detail));
        return detail;
      },
    );
    app.patch(
      "/cases/:case_id",
      operation("updateCase", "Update a case", change, {
        params: CaseParams,
        body: UpdateCaseRequest,
        response: { 200: WithPreviewOf(CaseBody) },
      }),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 200, (tx, caller) =>
          cases.update(tx, caller, request.params.case_id, request.body, request.headers["if-match"]),
        ),
    );
    app.delete(
      "/cases/:case_id",
      operation(
        "deleteCase",
        "Delete a case",
        { needs: ["cases:delete"], effect: "change", bySite: "records" },
        {
          description: "Its alerts are `triaged` again.",
          params: CaseParams,
          response: { 200: WithPreviewOf(Deleted) },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          cases.remove(tx, caller, request.params.case_id, request.headers["if-match"]),
        ),
    );
  };
}
