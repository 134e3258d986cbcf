import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { EnrolRequest, EnrolResult, MonitoringBody, RemovalResult, SentBody, SentQuery } from "./monitoring.schema.ts";
import type { MonitoringService } from "./monitoring.service.ts";

export function monitoringRoutes(monitoring: MonitoringService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/monitoring",
      {
        config: { access: "token", budget: "read" },
        schema: {
          operationId: "getMonitoring",
          summary: "Get the monitoring state",
          response: { 200: MonitoringBody },
        },
      },
      async () => monitoring.status(),
    );
    app.post(
      "/monitoring/enrol",
      {
        config: { access: "token", budget: "mutation" },
        schema: {
          operationId: "startMonitoring",
          summary: "Enrol with a monitoring platform",
          description:
            "`address` is host:port of the device server of the platform. A 400 names the refused field in `problem-field`.",
          body: EnrolRequest,
          response: { 200: EnrolResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await monitoring.enrol(body)) }),
    );
    app.delete(
      "/monitoring",
      {
        config: { access: "token", budget: "mutation" },
        schema: {
          operationId: "stopMonitoring",
          summary: "Stop monitoring by a platform",
          description: "`platform_keeps` is null, or what the platform has and this device cannot delete.",
          response: { 200: RemovalResult },
        },
      },
      async () => ({ success: true, platform_keeps: monitoring.remove() }),
    );
    app.get(
      "/monitoring/sent",
      {
        config: { access: "token", budget: "read" },
        schema: {
          operationId: "listSentMessages",
          summary: "List messages sent to the platform",
          description: "Newest first. `removed` counts older messages that are no longer listed.",
          querystring: SentQuery,
          response: { 200: SentBody },
        },
      },
      async ({ query }) => monitoring.sent(query.cursor),
    );
  };
}
