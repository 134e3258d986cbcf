import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) => views.create(tx, caller, request.body)),
    );

    app.patch(
      "/views/:view_id",
      operation("updateView", "Update a saved view", change, {
        description: "403 unless by its author or an administrator.",
        params: ViewParams,
        body: UpdateViewRequest,
        response: { 200: WithPreviewOf(ViewBody) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          views.update(tx, caller, request.params.view_id, request.body, request.headers["if-match"]),
        ),
    );

    app.delete(
      "/views/:view_id",
      operation("deleteView", "Delete a saved view", change, {
        description: "403 unless by its author or an administrator.",
        params: ViewParams,
        response: { 200: WithPreviewOf(Deleted) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          views.remove(tx, caller, request.params.view_id, request.headers["if-match"]),
        ),
    );
  };
}
