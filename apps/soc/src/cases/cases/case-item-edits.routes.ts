import type { FastifyReply } from "fastify";
import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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
// An API key must not delete anything in cases.
const removal = { needs: ["cases:write"], effect: "change", bySite: "records" } as const;
const gone = { 200: WithPreviewOf(Deleted) };

export function caseItemEditsRoutes(edits: CaseItemEditsService, changes: Pick<ChangesService, "run">): Routes {
  return async (app) => {
    app.get(
      "/cases/:case_id/history",
      operation(
        "listCaseItemHistory",
        "List earlier versions of case items",
        { needs: ["cases:read"], byKey: true, bySite: "records" },
        {
          description: "Newest change first. `item` is the item as it was.",
          params: CaseParams,
          querystring: HistoryQuery,
          response: { 200: PageOf(ItemVersionBody) },
        },
      ),
      async (request) => edits.history(toScope(callerOf(request)), request.params.case_id, request.query),
    );
    app.patch(
      "/cases/:case_id/observables/:observable_id",
      operation("updateCaseObservable", "Update an observable of a case", change, {
        description: "409 if the case has an equal one.",
        params: ObservableParams,
        body: UpdateObservableRequest,
        response: { 200: WithPreviewOf(ObservableBody) },
      }),
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
      operation("deleteCaseObservable", "Delete an observable of a case", removal, {
        params: ObservableParams,
        response: gone,
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          edits.removeObservable(tx, caller, request.params, request.headers["if-match"]),
        ),
    );
    app.patch(
      "/cases/:case_id/comments/:comment_id",
      operation("updateCaseComment", "Update a comment on a case", change, {
        description: "403 unless by its author.",
        params: CommentParams,
        body: CommentRequest,
        response: { 200: WithPreviewOf(CommentBody) },
      }),
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
      operation("deleteCaseComment", "Delete a comment on a case", removal, {
        description: "403 unless by its author or with `cases:delete`.",
        params: CommentParams,
        response: gone,
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          edits.removeComment(tx, caller, request.params, request.headers["if-match"]),
        ),
    );
    app.delete(
      "/cases/:case_id/tasks/:task_id",
      operation("deleteCaseTask", "Delete a task of a case", removal, { params: TaskParams, response: gone }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          edits.removeTask(tx, caller, request.params, request.headers["if-match"]),
        ),
    );
  };
}

/** Adds the version as ETag, for If-Match; a preview has none. */
function answerItem(reply: FastifyReply, outcome: Outcome<Observable | Comment>) {
  if (!outcome.dry_run) reply.header("etag", etagOf(toVersion(outcome.result)));
  return answer(reply, 200, outcome);
}
