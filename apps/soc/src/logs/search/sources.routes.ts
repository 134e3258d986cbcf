import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { ListSourcesQuery, SourcesPageBody } from "./sources.schema.ts";
import type { SourcesService } from "./sources.service.ts";

export function sourcesRoutes(sources: SourcesService): Routes {
  return async (app) => {
    app.get(
      "/siem/sources",
      operation(
        "listLogSources",
        "List log sources",
        { needs: ["siem:read"], byKey: true },
        { querystring: ListSourcesQuery, response: { 200: SourcesPageBody } },
      ),
      async ({ query }) => sources.list(query),
    );
  };
}
