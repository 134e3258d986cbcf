import { AuditEntryBody } from "../audit/audit.schema.ts";
import { callerOf } from "../caller/caller.ts";
import { PageOf } from "../lists/lists.schema.ts";
import { operation, type Routes } from "../runtime/operation.ts";
import { ActivityQuery } from "./activity.schema.ts";
import type { ActivityService } from "./activity.service.ts";

export function activityRoutes(activity: ActivityService): Routes {
  return async (app) => {
    app.get(
      "/activity",
      operation(
        "listActivity",
        "List the activity of a record",
        { needs: "authenticated", bySite: "records" },
        {
          description:
            "Newest first. 403 for callers who may not receive the events of such records; entries of other events are left out.",
          querystring: ActivityQuery,
          response: { 200: PageOf(AuditEntryBody) },
        },
      ),
      async (request) => activity.list(callerOf(request), request.query),
    );
  };
}
