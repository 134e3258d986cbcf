import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PageOf, PageQuery } from "../../foundation/lists/lists.schema.ts";
import { DropsBody } from "./drops.schema.ts";
import type { DropsService } from "./drops.service.ts";

/** Below /api/v1. */
export function dropsRoutes(drops: DropsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/drops",
      {
        config: { needs: ["siem:read"], byKey: true },
        schema: {
          operationId: "listSyslogDrops",
          summary: "List syslog senders with dropped messages",
          querystring: PageQuery,
          response: { 200: PageOf(DropsBody) },
        },
      },
      async ({ query }) => drops.list(query),
    );
  };
}
