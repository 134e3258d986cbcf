import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { parseMultiValueParams } from "../../foundation/lists/multi-value-params.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../../logs/module.ts";
import {
  CreateExceptionRequest,
  ExceptionBody,
  ExceptionParams,
  ExceptionPreviewBody,
  ListExceptionsQuery,
  PreviewExceptionRequest,
  UpdateExceptionRequest,
} from "./exceptions.schema.ts";
import type { ExceptionsService } from "./exceptions.service.ts";

const reading = { needs: ["detections:read"], byKey: true } as const;
const change = { needs: ["detections:write"], effect: "change" } as const;
const searching = { needs: ["detections:read", "siem:search"], effect: "none", logLane: "previews" } as const;

/** An exception that is not for one rule can blind the whole platform. A change only shortens one. */
const createWide = { ...change, stepUp: { unless: Type.Object({ scope: Type.Literal("rule") }) } };

export function exceptionsRoutes(exceptions: ExceptionsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/detections/exceptions",
      {
        ...operation("listExceptions", "List exceptions", reading, {
          description:
            "Newest first. An exception of one rule is shown to those who may see the rule, and to administrators after the rule was deleted.",
          querystring: ListExceptionsQuery,
          response: { 200: PageOf(ExceptionBody) },
        }),
        preValidation: parseMultiValueParams(["scope", "rule_id", "tag"]),
      },
      async (request) => exceptions.list(callerOf(request), request.query),
    );

    app.post(
      "/detections/exceptions",
      operation("createException", "Create an exception", createWide, {
        description: "`query` may not match everything; `expires_at` is within a year. 409 when 500 are active.",
        body: CreateExceptionRequest,
        response: { 200: PreviewOf(ExceptionBody), 201: ExceptionBody },
      }),
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => exceptions.create(tx, caller, request.body));
        if (!created.dry_run) reply.header("etag", etagOf(created.result));
        return answer(reply, 201, created);
      },
    );

    app.post(
      "/detections/exceptions/preview",
      operation("previewException", "Preview an exception", searching, {
        description: "What it would have hidden of the stored matches in that time, the newest 5,000.",
        body: PreviewExceptionRequest,
        response: { 200: ExceptionPreviewBody },
      }),
      async (request, reply) => exceptions.preview(callerOf(request), request.body, abortOnDisconnect(reply)),
    );

    app.get(
      "/detections/exceptions/:exception_id",
      operation("getException", "Get an exception", reading, {
        params: ExceptionParams,
        response: { 200: ExceptionBody },
      }),
      async (request, reply) => {
        const exception = await exceptions.get(callerOf(request), request.params.exception_id);
        reply.header("etag", etagOf(exception));
        return exception;
      },
    );

    app.patch(
      "/detections/exceptions/:exception_id",
      operation("updateException", "Update an exception", change, {
        description: "`expires_at` can only become earlier. 409 when it has ended or `If-Match` names another version.",
        params: ExceptionParams,
        body: UpdateExceptionRequest,
        response: { 200: WithPreviewOf(ExceptionBody) },
      }),
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          exceptions.update(tx, caller, params.exception_id, body, headers["if-match"]),
        );
        if (!updated.dry_run) reply.header("etag", etagOf(updated.result));
        return answer(reply, 200, updated);
      },
    );

    app.delete(
      "/detections/exceptions/:exception_id",
      operation("deleteException", "End an exception", change, {
        description: "It ends now and stays in the lists. 409 when it has ended.",
        params: ExceptionParams,
        response: { 200: WithPreviewOf(Deleted) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          exceptions.end(tx, caller, request.params.exception_id, request.headers["if-match"]),
        ),
    );
  };
}
