import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { CancelledBody, SearchParams } from "./searches.schema.ts";
import type { SearchesService } from "./searches.service.ts";

export function searchesRoutes(searches: SearchesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.delete(
      "/siem/searches/:search_id",
      {
        config: { needs: ["siem:read"], byKey: true, bySite: "records", effect: "none" },
        schema: {
          operationId: "cancelSearch",
          summary: "Cancel a running search",
          params: SearchParams,
          response: { 200: CancelledBody },
        },
      },
      async (request) => searches.cancel(callerOf(request), request.params.search_id),
    );
  };
}
