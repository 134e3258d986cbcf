import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { splitSeveral } from "../../foundation/lists/several.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
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

export function exceptionsRoutes(exceptions: ExceptionsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/detections/exceptions",
      {
        config: reading,
        preValidation: splitSeveral(["scope", "rule_id", "tag"]),
        schema: {
          operationId: "listExceptions",
          summary: "List exceptions",
          querystring: ListExceptionsQuery,
          response: { 200: PageOf(ExceptionBody) },
        },
      },
      async (request) => exceptions.list(callerOf(request), request.query),
    );

    app.post(
      "/detections/exceptions",
      {
        config: change,
        schema: {
          operationId: "createException",
          summary: "Create an exception",
          body: CreateExceptionRequest,
          response: { 200: PreviewOf(ExceptionBody), 201: ExceptionBody },
        },
      },
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => exceptions.create(tx, caller, request.body));
        if (!created.dry_run) reply.header("etag", etagOf(created.result));
        return answer(reply, 201, created);
      },
    );

    app.post(
      "/detections/exceptions/preview",
      {
        config: searching,
        schema: {
          operationId: "previewException",
          summary: "Preview an exception",
          body: PreviewExceptionRequest,
          response: { 200: ExceptionPreviewBody },
        },
      },
      async (request, reply) => exceptions.preview(callerOf(request), request.body, abortOnDisconnect(reply)),
    );

    app.get(
      "/detections/exceptions/:exception_id",
      {
        config: reading,
        schema: {
          operationId: "getException",
          summary: "Get an exception",
          params: ExceptionParams,
          response: { 200: ExceptionBody },
        },
      },
      async (request, reply) => {
        const exception = await exceptions.get(callerOf(request), request.params.exception_id);
        reply.header("etag", etagOf(exception));
        return exception;
      },
    );

    app.patch(
      "/detections/exceptions/:exception_id",
      {
        config: change,
        schema: {
          operationId: "updateException",
          summary: "Update an exception",
          params: ExceptionParams,
          body: UpdateExceptionRequest,
          response: { 200: Type.Union([ExceptionBody, PreviewOf(ExceptionBody)]) },
        },
      },
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
      {
        config: change,
        schema: {
          operationId: "deleteException",
          summary: "End an exception",
          params: ExceptionParams,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { params, headers } = request;
        const ended = await changes.run(request, (tx, caller) =>
          exceptions.end(tx, caller, params.exception_id, headers["if-match"]),
        );
        return answer(reply, 200, ended);
      },
    );
  };
}
