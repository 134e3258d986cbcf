import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { Deleted, PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import { type Comment, type Observable, toVersion } from "./case.ts";
import type { CaseItemEditsService } from "./case-item-edits.service.ts";
import {
  CommentBody,
  CommentParams,
  CommentRequest,
  HistoryQuery,
  ItemVersionBody,
  ObservableBody,
  ObservableParams,
  TaskParams,
  UpdateObservableRequest,
} from "./case-items.schema.ts";
import { CaseParams } from "./cases.schema.ts";

const change = { needs: ["cases:write"], effect: "change", byKey: true, bySite: "records" } as const;
// A key may not delete in cases.
const removal = { needs: ["cases:write"], effect: "change", bySite: "records" } as const;
const gone = { 200: Type.Union([Deleted, PreviewOf(Deleted)]) };

export function caseItemEditsRoutes(
  edits: CaseItemEditsService,
  changes: Pick<ChangesService, "run">,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/cases/:case_id/history",
      {
        config: { needs: ["cases:read"], byKey: true, bySite: "records" },
        schema: {
          operationId: "listCaseItemHistory",
          summary: "List earlier versions of case items",
          params: CaseParams,
          querystring: HistoryQuery,
          response: { 200: PageOf(ItemVersionBody) },
        },
      },
      async (request) => edits.history(toScope(callerOf(request)), request.params.case_id, request.query),
    );
    app.patch(
      "/cases/:case_id/observables/:observable_id",
      {
        config: change,
        schema: {
          operationId: "updateCaseObservable",
          summary: "Update an observable of a case",
          params: ObservableParams,
          body: UpdateObservableRequest,
          response: { 200: Type.Union([ObservableBody, PreviewOf(ObservableBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          edits.updateObservable(tx, caller, params, body, headers["if-match"]),
        );
        return answerItem(reply, updated);
      },
    );
    app.delete(
      "/cases/:case_id/observables/:observable_id",
      {
        config: removal,
        schema: {
          operationId: "deleteCaseObservable",
          summary: "Delete an observable of a case",
          params: ObservableParams,
          response: gone,
        },
      },
      async (request, reply) => {
        const { params, headers } = request;
        const removed = await changes.run(request, (tx, caller) =>
          edits.removeObservable(tx, caller, params, headers["if-match"]),
        );
        return answer(reply, 200, removed);
      },
    );
    app.patch(
      "/cases/:case_id/comments/:comment_id",
      {
        config: change,
        schema: {
          operationId: "updateCaseComment",
          summary: "Update a comment on a case",
          params: CommentParams,
          body: CommentRequest,
          response: { 200: Type.Union([CommentBody, PreviewOf(CommentBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          edits.updateComment(tx, caller, params, body, headers["if-match"]),
        );
        return answerItem(reply, updated);
      },
    );
    app.delete(
      "/cases/:case_id/comments/:comment_id",
      {
        config: removal,
        schema: {
          operationId: "deleteCaseComment",
          summary: "Delete a comment on a case",
          params: CommentParams,
          response: gone,
        },
      },
      async (request, reply) => {
        const { params, headers } = request;
        const removed = await changes.run(request, (tx, caller) =>
          edits.removeComment(tx, caller, params, headers["if-match"]),
        );
        return answer(reply, 200, removed);
      },
    );
    app.delete(
      "/cases/:case_id/tasks/:task_id",
      {
        config: removal,
        schema: {
          operationId: "deleteCaseTask",
          summary: "Delete a task of a case",
          params: TaskParams,
          response: gone,
        },
      },
      async (request, reply) => {
        const { params, headers } = request;
        const removed = await changes.run(request, (tx, caller) =>
          edits.removeTask(tx, caller, params, headers["if-match"]),
        );
        return answer(reply, 200, removed);
      },
    );
  };
}

/** Adds the version as ETag, for If-Match; a preview has none. */
function answerItem(reply: FastifyReply, outcome: Outcome<Observable | Comment>) {
  if (!outcome.dry_run) reply.header("etag", etagOf(toVersion(outcome.result)));
  return answer(reply, 200, outcome);
}
