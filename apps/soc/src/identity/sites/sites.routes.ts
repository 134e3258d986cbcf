import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { CreateSiteRequest, SiteBody, SitePath } from "./sites.schema.ts";
import type { SitesService } from "./sites.service.ts";

export function sitesRoutes(sites: SitesService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/sites",
      operation(
        "listSites",
        "List sites",
        { needs: ["sites:read"], bySite: "records" },
        { querystring: PageQuery, response: { 200: PageOf(SiteBody) } },
      ),
      async (request) => sites.list(toScope(callerOf(request)), request.query),
    );

    app.post(
      "/sites",
      operation(
        "createSite",
        "Create a site",
        { needs: ["sites:manage"], effect: "change" },
        { body: CreateSiteRequest, response: { 200: PreviewOf(SiteBody), 201: SiteBody } },
      ),
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => sites.create(tx, caller, request.body));
        return answer(reply, 201, created);
      },
    );

    app.delete(
      "/sites/:id",
      operation(
        "deleteSite",
        "Delete a site",
        { needs: ["sites:manage"], effect: "change", stepUp: true },
        {
          description: "409 while agents or devices are there.",
          params: SitePath,
          response: { 200: WithPreviewOf(Deleted) },
        },
      ),
      async (request, reply) => {
        const deleted = await changes.run(request, (tx, caller) => sites.delete(tx, caller, request.params.id));
        return answer(reply, 200, deleted);
      },
    );
  };
}
