import { callerOf } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { DashboardBody, OverviewBody } from "./stats.schema.ts";
import type { StatsService } from "./stats.service.ts";

export function statsRoutes(stats: StatsService): Routes {
  return async (app) => {
    app.get(
      "/stats/overview",
      operation(
        "getOverview",
        "Get the overview",
        { needs: ["stats:read"], byKey: true },
        { response: { 200: OverviewBody } },
      ),
      async () => stats.overview(),
    );

    app.get(
      "/dashboard/stats",
      operation(
        "getDashboardStats",
        "Get the overview with trends",
        { needs: ["stats:read"], byKey: true },
        { response: { 200: DashboardBody } },
      ),
      async (request) => stats.dashboard(callerOf(request)),
    );
  };
}
