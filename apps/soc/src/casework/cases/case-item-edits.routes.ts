import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { Deleted, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { CaseItemEditsService } from "./case-item-edits.service.ts";
import {
  CommentBody,
  CommentParams,
  CommentRequest,
  ObservableBody,
  ObservableParams,
  TaskParams,
  UpdateObservableRequest,
} from "./case-items.schema.ts";

const change = { needs: ["cases:write"], effect: "change", byKey: true } as const;
// A key may not delete in cases.
const removal = { needs: ["cases:write"], effect: "change" } as const;
const removed = { 200: Type.Union([Deleted, PreviewOf(Deleted)]) };

export function caseItemEditsRoutes(
  edits: CaseItemEditsService,
  changes: Pick<ChangesService, "run">,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.patch(
      "/cases/:case_id/observables/:observable_id",
      {
        config: change,
        schema: {
          params: ObservableParams,
          body: UpdateObservableRequest,
          response: { 200: Type.Union([ObservableBody, PreviewOf(ObservableBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const updated = await changes.run(request, (tx, caller) => edits.updateObservable(tx, caller, params, body));
        return answer(reply, 200, updated);
      },
    );
    app.delete(
      "/cases/:case_id/observables/:observable_id",
      { config: removal, schema: { params: ObservableParams, response: removed } },
      async (request, reply) => {
        const { params } = request;
        return answer(
          reply,
          200,
          await changes.run(request, (tx, caller) => edits.removeObservable(tx, caller, params)),
        );
      },
    );
    app.patch(
      "/cases/:case_id/comments/:comment_id",
      {
        config: change,
        schema: {
          params: CommentParams,
          body: CommentRequest,
          response: { 200: Type.Union([CommentBody, PreviewOf(CommentBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const updated = await changes.run(request, (tx, caller) => edits.updateComment(tx, caller, params, body));
        return answer(reply, 200, updated);
      },
    );
    app.delete(
      "/cases/:case_id/comments/:comment_id",
      { config: removal, schema: { params: CommentParams, response: removed } },
      async (request, reply) => {
        const { params } = request;
        return answer(reply, 200, await changes.run(request, (tx, caller) => edits.removeComment(tx, caller, params)));
      },
    );
    app.delete(
      "/cases/:case_id/tasks/:task_id",
      { config: removal, schema: { params: TaskParams, response: removed } },
      async (request, reply) => {
        const { params } = request;
        return answer(reply, 200, await changes.run(request, (tx, caller) => edits.removeTask(tx, caller, params)));
      },
    );
  };
}
