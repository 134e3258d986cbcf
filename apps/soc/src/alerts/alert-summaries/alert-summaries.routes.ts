import { callerOf } from "../../foundation/caller/caller.ts";
import { parseMultiValueParams } from "../../foundation/lists/multi-value-params.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { SEVERAL_FILTERS } from "../alerts/alert-filters.ts";
import { GroupsBody, GroupsQuery, SummaryBody, SummaryQuery } from "./alert-summaries.schema.ts";
import type { AlertSummariesService } from "./alert-summaries.service.ts";

const reading = { needs: ["alerts:read"], byKey: true, bySite: "records" } as const;

export function alertSummariesRoutes(summaries: AlertSummariesService): Routes {
  return async (app) => {
    app.get(
      "/alerts/summary",
      {
        ...operation("summarizeAlerts", "Summarize alerts", reading, {
          querystring: SummaryQuery,
          response: { 200: SummaryBody },
        }),
        preValidation: parseMultiValueParams([...SEVERAL_FILTERS, "fields"]),
      },
      async (request) => summaries.summarise(callerOf(request), request.query),
    );
    app.get(
      "/alerts/groups",
      {
        ...operation("listAlertGroups", "List groups of alerts", reading, {
          querystring: GroupsQuery,
          response: { 200: GroupsBody },
        }),
        preValidation: parseMultiValueParams(SEVERAL_FILTERS),
      },
      async (request) => summaries.group(callerOf(request), request.query),
    );
  };
}
