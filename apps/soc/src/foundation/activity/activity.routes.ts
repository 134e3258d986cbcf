import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { AuditEntryBody } from "../audit/audit.schema.ts";
import { callerOf } from "../caller/caller.ts";
import { PageOf } from "../lists/lists.schema.ts";
import { ActivityQuery } from "./activity.schema.ts";
import type { ActivityService } from "./activity.service.ts";

export function activityRoutes(activity: ActivityService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/activity",
      {
        config: { needs: "authenticated", bySite: "records" },
        schema: {
          operationId: "listActivity",
          summary: "List the activity of a record",
          querystring: ActivityQuery,
          response: { 200: PageOf(AuditEntryBody) },
        },
      },
      async (request) => activity.list(callerOf(request), request.query),
    );
  };
}
