import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PageOf } from "../lists/lists.schema.ts";
import { AuditEntryBody, AuditExportQuery, AuditQuery } from "./audit.schema.ts";
import type { AuditService } from "./audit.service.ts";

export function auditRoutes(audit: AuditService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/audit",
      {
        config: { needs: ["audit:read"] },
        schema: {
          operationId: "listAuditEntries",
          summary: "List audit entries",
          querystring: AuditQuery,
          response: { 200: PageOf(AuditEntryBody) },
        },
      },
      async ({ query }) => audit.list(query),
    );

    app.get(
      "/audit/export",
      {
        config: { needs: ["audit:read"], exports: "audit.exported", stepUp: true },
        schema: { operationId: "exportAuditEntries", summary: "Export audit entries", querystring: AuditExportQuery },
      },
      async ({ query }, reply) => {
        const lines = await audit.exportLines(query);
        const type = query.format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson";
        return reply.type(type).send(Readable.from(lines));
      },
    );
  };
}
