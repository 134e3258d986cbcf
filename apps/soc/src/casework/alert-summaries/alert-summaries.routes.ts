import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { splitSeveral } from "../../foundation/lists/several.ts";
import { SEVERAL_FILTERS } from "../alerts/alert-filters.ts";
import { GroupsBody, GroupsQuery, SummaryBody, SummaryQuery } from "./alert-summaries.schema.ts";
import type { AlertSummariesService } from "./alert-summaries.service.ts";

const reading = { needs: ["alerts:read"], byKey: true } as const;

export function alertSummariesRoutes(summaries: AlertSummariesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/alerts/summary",
      {
        config: reading,
        preValidation: splitSeveral([...SEVERAL_FILTERS, "fields"]),
        schema: { querystring: SummaryQuery, response: { 200: SummaryBody } },
      },
      async ({ query }) => summaries.summarise(query),
    );
    app.get(
      "/alerts/groups",
      {
        config: reading,
        preValidation: splitSeveral(SEVERAL_FILTERS),
        schema: { querystring: GroupsQuery, response: { 200: GroupsBody } },
      },
      async ({ query }) => summaries.group(query),
    );
  };
}
