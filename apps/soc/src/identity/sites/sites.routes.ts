import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { Deleted, PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { CreateSiteRequest, SiteBody, SitePath } from "./sites.schema.ts";
import type { SitesService } from "./sites.service.ts";

export function sitesRoutes(sites: SitesService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/sites",
      {
        config: { needs: ["sites:read"], bySite: "records" },
        schema: {
          operationId: "listSites",
          summary: "List sites",
          querystring: PageQuery,
          response: { 200: PageOf(SiteBody) },
        },
      },
      async (request) => sites.list(toScope(callerOf(request)), request.query),
    );

    app.post(
      "/sites",
      {
        config: { needs: ["sites:manage"], effect: "change" },
        schema: {
          operationId: "createSite",
          summary: "Create a site",
          body: CreateSiteRequest,
          response: { 200: PreviewOf(SiteBody), 201: SiteBody },
        },
      },
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => sites.create(tx, caller, request.body));
        return answer(reply, 201, created);
      },
    );

    app.delete(
      "/sites/:id",
      {
        config: { needs: ["sites:manage"], effect: "change" },
        schema: {
          operationId: "deleteSite",
          summary: "Delete a site",
          params: SitePath,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const deleted = await changes.run(request, (tx, caller) => sites.delete(tx, caller, request.params.id));
        return answer(reply, 200, deleted);
      },
    );
  };
}
