import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { splitSeveral } from "../../foundation/lists/several.ts";
import { SEVERAL_FILTERS } from "../alerts/alert-filters.ts";
import { GroupsBody, GroupsQuery, SummaryBody, SummaryQuery } from "./alert-summaries.schema.ts";
import type { AlertSummariesService } from "./alert-summaries.service.ts";

const reading = { needs: ["alerts:read"], byKey: true, bySite: "records" } as const;

export function alertSummariesRoutes(summaries: AlertSummariesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/alerts/summary",
      {
        config: reading,
        preValidation: splitSeveral([...SEVERAL_FILTERS, "fields"]),
        schema: {
          operationId: "summarizeAlerts",
          summary: "Summarize alerts",
          querystring: SummaryQuery,
          response: { 200: SummaryBody },
        },
      },
      async (request) => summaries.summarise(callerOf(request), request.query),
    );
    app.get(
      "/alerts/groups",
      {
        config: reading,
        preValidation: splitSeveral(SEVERAL_FILTERS),
        schema: {
          operationId: "listAlertGroups",
          summary: "List groups of alerts",
          querystring: GroupsQuery,
          response: { 200: GroupsBody },
        },
      },
      async (request) => summaries.group(callerOf(request), request.query),
    );
  };
}
