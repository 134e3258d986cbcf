import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import type { Task } from "./case.ts";
import {
  CommentBody,
  CommentRequest,
  CreateTaskRequest,
  ObservableBody,
  ObservableRequest,
  ObservablesBody,
  ObservablesRequest,
  TaskBody,
  TaskParams,
  TasksQuery,
  TimelineEntryBody,
  UpdateTaskRequest,
} from "./case-items.schema.ts";
import type { CaseItemsService } from "./case-items.service.ts";
import { CaseParams } from "./cases.schema.ts";

const reading = { needs: ["cases:read"], byKey: true, bySite: "records" } as const;
const change = { needs: ["cases:write"], effect: "change", byKey: true, bySite: "records" } as const;
const listed = { params: CaseParams, querystring: PageQuery };

export function caseItemsRoutes(
  items: CaseItemsService,
  changes: Pick<ChangesService, "run">,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/cases/:case_id/timeline",
      {
        config: reading,
        schema: {
          operationId: "listCaseTimeline",
          summary: "List the timeline of a case",
          ...listed,
          response: { 200: PageOf(TimelineEntryBody) },
        },
      },
      async (request) => items.timeline(toScope(callerOf(request)), request.params.case_id, request.query),
    );

    app.get(
      "/cases/:case_id/observables",
      {
        config: reading,
        schema: {
          operationId: "listCaseObservables",
          summary: "List the observables of a case",
          ...listed,
          response: { 200: PageOf(ObservableBody) },
        },
      },
      async (request) => items.observables(toScope(callerOf(request)), request.params.case_id, request.query),
    );
    app.post(
      "/cases/:case_id/observables",
      {
        config: change,
        schema: {
          operationId: "createCaseObservable",
          summary: "Add an observable to a case",
          params: CaseParams,
          body: ObservableRequest,
          response: { 200: Type.Union([ObservableBody, PreviewOf(ObservableBody)]), 201: ObservableBody },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const { dry_run, result } = await changes.run(request, (tx, caller) =>
          items.addObservable(tx, caller, params.case_id, body),
        );
        return answer(reply, result.isNew ? 201 : 200, { dry_run, result: result.observable });
      },
    );

    app.post(
      "/cases/:case_id/observables/bulk",
      {
        config: change,
        schema: {
          operationId: "createCaseObservables",
          summary: "Add many observables to a case",
          params: CaseParams,
          body: ObservablesRequest,
          response: { 200: Type.Union([ObservablesBody, PreviewOf(ObservablesBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const added = await changes.run(request, (tx, caller) =>
          items.addObservables(tx, caller, params.case_id, body),
        );
        return answer(reply, 200, added);
      },
    );

    app.get(
      "/cases/:case_id/comments",
      {
        config: reading,
        schema: {
          operationId: "listCaseComments",
          summary: "List the comments of a case",
          ...listed,
          response: { 200: PageOf(CommentBody) },
        },
      },
      async (request) => items.comments(toScope(callerOf(request)), request.params.case_id, request.query),
    );
    app.post(
      "/cases/:case_id/comments",
      {
        config: change,
        schema: {
          operationId: "createCaseComment",
          summary: "Create a comment on a case",
          params: CaseParams,
          body: CommentRequest,
          response: { 200: PreviewOf(CommentBody), 201: CommentBody },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const added = await changes.run(request, (tx, caller) => items.addComment(tx, caller, params.case_id, body));
        return answer(reply, 201, added);
      },
    );

    app.get(
      "/cases/:case_id/tasks",
      {
        config: reading,
        schema: {
          operationId: "listCaseTasks",
          summary: "List the tasks of a case",
          params: CaseParams,
          querystring: TasksQuery,
          response: { 200: PageOf(TaskBody) },
        },
      },
      async (request) => items.tasks(toScope(callerOf(request)), request.params.case_id, request.query),
    );
    app.post(
      "/cases/:case_id/tasks",
      {
        config: change,
        schema: {
          operationId: "createCaseTask",
          summary: "Create a task in a case",
          params: CaseParams,
          body: CreateTaskRequest,
          response: { 200: PreviewOf(TaskBody), 201: TaskBody },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const added = await changes.run(request, (tx, caller) => items.addTask(tx, caller, params.case_id, body));
        return answerTask(reply, 201, added);
      },
    );
    app.patch(
      "/cases/:case_id/tasks/:task_id",
      {
        config: change,
        schema: {
          operationId: "updateCaseTask",
          summary: "Update a task of a case",
          params: TaskParams,
          body: UpdateTaskRequest,
          response: { 200: Type.Union([TaskBody, PreviewOf(TaskBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          items.updateTask(tx, caller, params, body, headers["if-match"]),
        );
        return answerTask(reply, 200, updated);
      },
    );
  };
}

/** Adds the version as ETag, for If-Match; a preview has none. */
function answerTask(reply: FastifyReply, status: 200 | 201, outcome: Outcome<Task>) {
  if (!outcome.dry_run) reply.header("etag", etagOf(outcome.result));
  return answer(reply, status, outcome);
}
