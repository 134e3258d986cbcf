import { callerOf } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { CancelledBody, SearchParams } from "./searches.schema.ts";
import type { SearchesService } from "./searches.service.ts";

export function searchesRoutes(searches: SearchesService): Routes {
  return async (app) => {
    app.delete(
      "/siem/searches/:search_id",
      operation(
        "cancelSearch",
        "Cancel a running search",
        { needs: ["siem:read"], byKey: true, bySite: "records", effect: "none" },
        {
          description:
            "`search_id` is the name that the caller sent with `?search_id=`. `cancelled` is the number of requests that end; 0 if the search has ended.",
          params: SearchParams,
          response: { 200: CancelledBody },
        },
      ),
      async (request) => searches.cancel(callerOf(request), request.params.search_id),
    );
  };
}
