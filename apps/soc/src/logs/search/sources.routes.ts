import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PageOf } from "../../foundation/lists/lists.schema.ts";
import { ListSourcesQuery, SourceBody } from "./sources.schema.ts";
import type { SourcesService } from "./sources.service.ts";

export function sourcesRoutes(sources: SourcesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/sources",
      {
        config: { needs: ["siem:read"], byKey: true },
        schema: { querystring: ListSourcesQuery, response: { 200: PageOf(SourceBody) } },
      },
      async ({ query }) => sources.list(query),
    );
  };
}
