import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, answerNewVersion, operation, type Routes } from "../../foundation/runtime/operation.ts";
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

export function caseItemsRoutes(items: CaseItemsService, changes: Pick<ChangesService, "run">): Routes {
  return async (app) => {
    app.get(
      "/cases/:case_id/timeline",
      operation("listCaseTimeline", "List the timeline of a case", reading, {
        ...listed,
        response: { 200: PageOf(TimelineEntryBody) },
      }),
      async (request) => items.timeline(toScope(callerOf(request)), request.params.case_id, request.query),
    );

    app.get(
      "/cases/:case_id/observables",
      operation("listCaseObservables", "List the observables of a case", reading, {
        ...listed,
        response: { 200: PageOf(ObservableBody) },
      }),
      async (request) => items.observables(toScope(callerOf(request)), request.params.case_id, request.query),
    );
    app.post(
      "/cases/:case_id/observables",
      operation("createCaseObservable", "Add an observable to a case", change, {
        description: "Answers 200 with the existing observable if the case has an equal one.",
        params: CaseParams,
        body: ObservableRequest,
        response: { 200: WithPreviewOf(ObservableBody), 201: ObservableBody },
      }),
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
      operation("createCaseObservables", "Add many observables to a case", change, {
        description: "All or none are added. `items` are in the order of the request.",
        params: CaseParams,
        body: ObservablesRequest,
        response: { 200: WithPreviewOf(ObservablesBody) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          items.addObservables(tx, caller, request.params.case_id, request.body),
        ),
    );

    app.get(
      "/cases/:case_id/comments",
      operation("listCaseComments", "List the comments of a case", reading, {
        ...listed,
        response: { 200: PageOf(CommentBody) },
      }),
      async (request) => items.comments(toScope(callerOf(request)), request.params.case_id, request.query),
    );
    app.post(
      "/cases/:case_id/comments",
      operation("createCaseComment", "Create a comment on a case", change, {
        params: CaseParams,
        body: CommentRequest,
        response: { 200: PreviewOf(CommentBody), 201: CommentBody },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) =>
          items.addComment(tx, caller, request.params.case_id, request.body),
        ),
    );

    app.get(
      "/cases/:case_id/tasks",
      operation("listCaseTasks", "List the tasks of a case", reading, {
        params: CaseParams,
        querystring: TasksQuery,
        response: { 200: PageOf(TaskBody) },
      }),
      async (request) => items.tasks(toScope(callerOf(request)), request.params.case_id, request.query),
    );
    app.post(
      "/cases/:case_id/tasks",
      operation("createCaseTask", "Create a task in a case", change, {
        params: CaseParams,
        body: CreateTaskRequest,
        response: { 200: PreviewOf(TaskBody), 201: TaskBody },
      }),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 201, (tx, caller) =>
          items.addTask(tx, caller, request.params.case_id, request.body),
        ),
    );
    app.patch(
      "/cases/:case_id/tasks/:task_id",
      operation("updateCaseTask", "Update a task of a case", change, {
        params: TaskParams,
        body: UpdateTaskRequest,
        response: { 200: WithPreviewOf(TaskBody) },
      }),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 200, (tx, caller) =>
          items.updateTask(tx, caller, request.params, request.body, request.headers["if-match"]),
        ),
    );
  };
}
