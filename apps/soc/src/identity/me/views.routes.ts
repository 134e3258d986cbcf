import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { CreateViewRequest, UpdateViewRequest, ViewBody, ViewParams, ViewsQuery } from "./views.schema.ts";
import type { ViewsService } from "./views.service.ts";

const reading = { needs: "authenticated", bySite: "own" } as const;
const change = { needs: "authenticated", bySite: "own", effect: "change" } as const;

export function viewsRoutes(views: ViewsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/views",
      operation("listViews", "List saved views", reading, {
        querystring: ViewsQuery,
        response: { 200: PageOf(ViewBody) },
      }),
      async (request) => views.list(callerOf(request), request.query),
    );

    app.get(
      "/views/:view_id",
      operation("getView", "Get a saved view", reading, { params: ViewParams, response: { 200: ViewBody } }),
      async (request, reply) => {
        const view = await views.get(callerOf(request), request.params.view_id);
        reply.header("etag", etagOf(view));
        return view;
      },
    );

    app.post(
      "/views",
      operation("createView", "Create a saved view", change, {
        description: "409 beyond 100 views of one user.",
        body: CreateViewRequest,
        response: { 200: PreviewOf(ViewBody), 201: ViewBody },
      }),
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => views.create(tx, caller, request.body));
        return answer(reply, 201, created);
      },
    );

    app.patch(
      "/views/:view_id",
      operation("updateView", "Update a saved view", change, {
        description: "403 unless by its author or an administrator.",
        params: ViewParams,
        body: UpdateViewRequest,
        response: { 200: WithPreviewOf(ViewBody) },
      }),
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
      operation("deleteView", "Delete a saved view", change, {
        description: "403 unless by its author or an administrator.",
        params: ViewParams,
        response: { 200: WithPreviewOf(Deleted) },
      }),
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
