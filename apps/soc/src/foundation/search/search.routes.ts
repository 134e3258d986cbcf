import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../caller/caller.ts";
import { splitSeveral } from "../lists/several.ts";
import { SearchBody, SearchQuery } from "./search.schema.ts";
import type { SearchService } from "./search.service.ts";

export function searchRoutes(search: SearchService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/search",
      {
        config: { needs: "authenticated", bySite: "records" },
        preValidation: splitSeveral(["kinds"]),
        schema: {
          operationId: "search",
          summary: "Search all records",
          querystring: SearchQuery,
          response: { 200: SearchBody },
        },
      },
      async (request) => search.search(callerOf(request), request.query),
    );
  };
}
