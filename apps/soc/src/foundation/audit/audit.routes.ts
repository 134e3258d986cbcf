import { Readable } from "node:stream";
import { PageOf } from "../lists/lists.schema.ts";
import { operation, type Routes } from "../runtime/operation.ts";
import { AuditEntryBody, AuditExportQuery, AuditQuery } from "./audit.schema.ts";
import type { AuditService } from "./audit.service.ts";

export function auditRoutes(audit: AuditService): Routes {
  return async (app) => {
    app.get(
      "/audit",
      operation(
        "listAuditEntries",
        "List audit entries",
        { needs: ["audit:read"] },
        { querystring: AuditQuery, response: { 200: PageOf(AuditEntryBody) } },
      ),
      async ({ query }) => audit.list(query),
    );

    app.get(
      "/audit/export",
      operation(
        "exportAuditEntries",
        "Export audit entries",
        { needs: ["audit:read"], exports: "audit.exported", stepUp: true },
        {
          description:
            "One JSON object per line, or CSV in which no text is a formula. The export is itself an audit entry.",
          querystring: AuditExportQuery,
        },
      ),
      async ({ query }, reply) => {
        const lines = await audit.exportLines(query);
        const type = query.format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson";
        return reply.type(type).send(Readable.from(lines));
      },
    );
  };
}
