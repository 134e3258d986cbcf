import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { ListSourcesQuery, SourcesPageBody } from "./sources.schema.ts";
import type { SourcesService } from "./sources.service.ts";

export function sourcesRoutes(sources: SourcesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/sources",
      {
        config: { needs: ["siem:read"], byKey: true },
        schema: {
          operationId: "listLogSources",
          summary: "List log sources",
          querystring: ListSourcesQuery,
          response: { 200: SourcesPageBody },
        },
      },
      async ({ query }) => sources.list(query),
    );
  };
}
