import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) => sites.create(tx, caller, request.body)),
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
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => sites.delete(tx, caller, request.params.id)),
    );
  };
}
