import type { Clock } from "@kit/clock";
import { operation, type Routes } from "../runtime/operation.ts";
import { HealthBody, ReadyBody, SystemHealthBody } from "./health.schema.ts";
import type { HealthService } from "./health.service.ts";

export interface HealthRoutesDeps {
  health: HealthService;
  version: string;
  clock: Pick<Clock, "monotonicMs">;
}

/** Outside /api/v1, for programs that monitor this process. */
export function healthRoutes({ health, version, clock }: HealthRoutesDeps): Routes {
  const startedMs = clock.monotonicMs();
  return async (app) => {
    // Liveness: it never queries the database, so a database outage does not cause a restart.
    app.get(
      "/health",
      operation("getHealth", "Check that the process is alive", { needs: "public" }, { response: { 200: HealthBody } }),
      async () => ({
        status: "ok" as const,
        version,
        uptime_s: Math.floor((clock.monotonicMs() - startedMs) / 1000),
      }),
    );

    app.get(
      "/ready",
      operation(
        "getReadiness",
        "Check that the service is ready",
        { needs: "public" },
        { response: { 200: ReadyBody } },
      ),
      async () => {
        await health.requireReady();
        return { status: "ready" as const };
      },
    );
  };
}

/** Under /api/v1. */
export function systemHealthRoutes(health: HealthService): Routes {
  return async (app) => {
    app.get(
      "/system/health",
      operation(
        "getSystemHealth",
        "Get the health of the system",
        { needs: "authenticated", worksOffline: true },
        { response: { 200: SystemHealthBody } },
      ),
      async () => health.check(),
    );
  };
}
