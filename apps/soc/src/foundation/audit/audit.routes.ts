import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PageOf } from "../lists/lists.schema.ts";
import { AuditEntryBody, AuditFilter, AuditQuery } from "./audit.schema.ts";
import type { AuditService } from "./audit.service.ts";

export function auditRoutes(audit: AuditService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/audit",
      {
        config: { needs: ["audit:read"] },
        schema: { querystring: AuditQuery, response: { 200: PageOf(AuditEntryBody) } },
      },
      async ({ query }) => audit.list(query),
    );

    app.get(
      "/audit/export",
      {
        config: { needs: ["audit:read"], exports: "audit.exported", stepUp: true },
        schema: { querystring: AuditFilter },
      },
      async ({ query }, reply) => {
        const lines = await audit.exportLines(query);
        return reply.type("application/x-ndjson").send(Readable.from(lines));
      },
    );
  };
}
