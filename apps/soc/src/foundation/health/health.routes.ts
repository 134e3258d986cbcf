import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Clock } from "@kit/clock";
import { HealthBody } from "./health.schema.ts";

/** Says that this process lives; it never asks the database, so a lost database does not restart it. */
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
