import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { DashboardBody, OverviewBody } from "./stats.schema.ts";
import type { StatsService } from "./stats.service.ts";

export function statsRoutes(stats: StatsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/stats/overview",
      {
        config: { needs: ["stats:read"], byKey: true },
        schema: { operationId: "getOverview", summary: "Get the overview", response: { 200: OverviewBody } },
      },
      async () => stats.overview(),
    );

    app.get(
      "/dashboard/stats",
      {
        config: { needs: ["stats:read"], byKey: true },
        schema: {
          operationId: "getDashboardStats",
          summary: "Get the overview with trends",
          response: { 200: DashboardBody },
        },
      },
      async (request) => stats.dashboard(callerOf(request)),
    );
  };
}
