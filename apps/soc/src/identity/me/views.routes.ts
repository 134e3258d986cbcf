import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { CreateViewRequest, UpdateViewRequest, ViewBody, ViewParams, ViewsQuery } from "./views.schema.ts";
import type { ViewsService } from "./views.service.ts";

const reading = { needs: "authenticated", bySite: "own" } as const;
const change = { needs: "authenticated", bySite: "own", effect: "change" } as const;

export function viewsRoutes(views: ViewsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/views",
      {
        config: reading,
        schema: {
          operationId: "listViews",
          summary: "List saved views",
          querystring: ViewsQuery,
          response: { 200: PageOf(ViewBody) },
        },
      },
      async (request) => views.list(callerOf(request), request.query),
    );

    app.get(
      "/views/:view_id",
      {
        config: reading,
        schema: {
          operationId: "getView",
          summary: "Get a saved view",
          params: ViewParams,
          response: { 200: ViewBody },
        },
      },
      async (request, reply) => {
        const view = await views.get(callerOf(request), request.params.view_id);
        reply.header("etag", etagOf(view));
        return view;
      },
    );

    app.post(
      "/views",
      {
        config: change,
        schema: {
          operationId: "createView",
          summary: "Create a saved view",
          body: CreateViewRequest,
          response: { 200: PreviewOf(ViewBody), 201: ViewBody },
        },
      },
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => views.create(tx, caller, request.body));
        return answer(reply, 201, created);
      },
    );

    app.patch(
      "/views/:view_id",
      {
        config: change,
        schema: {
          operationId: "updateView",
          summary: "Update a saved view",
          params: ViewParams,
          body: UpdateViewRequest,
          response: { 200: Type.Union([ViewBody, PreviewOf(ViewBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          views.update(tx, caller, params.view_id, body, headers["if-match"]),
        );
        return answer(reply, 200, updated);
      },
    );

    app.delete(
      "/views/:view_id",
      {
        config: change,
        schema: {
          operationId: "deleteView",
          summary: "Delete a saved view",
          params: ViewParams,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { params, headers } = request;
        const deleted = await changes.run(request, (tx, caller) =>
          views.remove(tx, caller, params.view_id, headers["if-match"]),
        );
        return answer(reply, 200, deleted);
      },
    );
  };
}
