import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Clock } from "@kit/clock";
import { HealthBody } from "./health.schema.ts";

/** Liveness of this process. It never queries the database, so a database outage does not cause a restart. */
export function healthRoutes(version: string, clock: Pick<Clock, "monotonicMs">): FastifyPluginAsyncTypebox {
  const startedMs = clock.monotonicMs();
  return async (app) => {
    app.get("/health", { config: { needs: "public" }, schema: { response: { 200: HealthBody } } }, async () => ({
      status: "ok" as const,
      version,
      uptime_s: Math.floor((clock.monotonicMs() - startedMs) / 1000),
    }));
  };
}
