import { callerOf } from "../caller/caller.ts";
import { parseMultiValueParams } from "../lists/multi-value-params.ts";
import { operation, type Routes } from "../runtime/operation.ts";
import { SearchBody, SearchQuery } from "./search.schema.ts";
import type { SearchService } from "./search.service.ts";

export function searchRoutes(search: SearchService): Routes {
  return async (app) => {
    app.get(
      "/search",
      {
        ...operation(
          "search",
          "Search all records",
          { needs: "authenticated", bySite: "records" },
          {
            description:
              "`q` is a part of a name, words or an id. `kinds` of the answer are those that were searched; `is_partial` when one failed or took more than a second.",
            querystring: SearchQuery,
            response: { 200: SearchBody },
          },
        ),
        preValidation: parseMultiValueParams(["kinds"]),
      },
      async (request) => search.search(callerOf(request), request.query),
    );
  };
}
