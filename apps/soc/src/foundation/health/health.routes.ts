import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Clock } from "@kit/clock";
import { HealthBody, ReadyBody, SystemHealthBody } from "./health.schema.ts";
import type { HealthService } from "./health.service.ts";

export interface HealthRoutesDeps {
  health: HealthService;
  version: string;
  clock: Pick<Clock, "monotonicMs">;
}

/** Outside /api/v1, for programs that watch over this process. */
export function healthRoutes({ health, version, clock }: HealthRoutesDeps): FastifyPluginAsyncTypebox {
  const startedMs = clock.monotonicMs();
  return async (app) => {
    // Liveness: it never queries the database, so a database outage does not cause a restart.
    app.get(
      "/health",
      {
        config: { needs: "public" },
        schema: { operationId: "getHealth", summary: "Check that the process is alive", response: { 200: HealthBody } },
      },
      async () => ({
        status: "ok" as const,
        version,
        uptime_s: Math.floor((clock.monotonicMs() - startedMs) / 1000),
      }),
    );

    app.get(
      "/ready",
      {
        config: { needs: "public" },
        schema: {
          operationId: "getReadiness",
          summary: "Check that the service is ready",
          response: { 200: ReadyBody },
        },
      },
      async () => {
        await health.requireReady();
        return { status: "ready" as const };
      },
    );
  };
}

/** Below /api/v1. */
export function systemHealthRoutes(health: HealthService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/system/health",
      {
        config: { needs: "authenticated", worksOffline: true },
        schema: {
          operationId: "getSystemHealth",
          summary: "Get the health of the system",
          response: { 200: SystemHealthBody },
        },
      },
      async () => health.check(),
    );
  };
}
