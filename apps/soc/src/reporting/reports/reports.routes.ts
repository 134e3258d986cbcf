import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { buildFileName, decodeContent } from "./report.ts";
import { CreateReportRequest, ListReportsQuery, ReportBody, ReportPath, ReportSummaryBody } from "./reports.schema.ts";
import type { ReportsService } from "./reports.service.ts";

// A report quotes text of attackers. This policy disables every script and request of a page opened from here.
const SANDBOX_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

export function reportsRoutes(reports: ReportsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/reports",
      {
        config: { needs: ["reports:read"], byKey: true },
        schema: {
          operationId: "listReports",
          summary: "List reports",
          querystring: ListReportsQuery,
          response: { 200: PageOf(ReportSummaryBody) },
        },
      },
      async ({ query }) => reports.list(query),
    );

    app.get(
      "/reports/:id",
      {
        config: { needs: ["reports:read"], byKey: true },
        schema: {
          operationId: "getReport",
          summary: "Get a report",
          params: ReportPath,
          response: { 200: ReportBody },
        },
      },
      async ({ params }) => reports.get(params.id),
    );

    app.get(
      "/reports/:id/download",
      {
        config: { needs: ["reports:read"], byKey: true, exports: "report.downloaded" },
        schema: { operationId: "downloadReport", summary: "Download a report", params: ReportPath },
      },
      async ({ params }, reply) => {
        const report = await reports.get(params.id);
        return reply
          .type(report.content_type)
          .header("content-disposition", `attachment; filename="${buildFileName(report)}"`)
          .header("x-content-type-options", "nosniff")
          .header("content-security-policy", SANDBOX_POLICY)
          .send(decodeContent(report));
      },
    );

    app.post(
      "/reports",
      {
        config: { needs: ["cases:write"], effect: "change", byKey: true },
        schema: {
          operationId: "createReport",
          summary: "Create a report",
          body: CreateReportRequest,
          response: { 200: PreviewOf(ReportBody), 201: ReportBody },
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const draft = await reports.draft(caller.username, request.body);
        const kept = await changes.run(request, (tx) => reports.keep(tx, caller.username, draft));
        return answer(reply, 201, kept);
      },
    );

    app.delete(
      "/reports/:id",
      {
        config: { needs: ["cases:delete"], effect: "change" },
        schema: {
          operationId: "deleteReport",
          summary: "Delete a report",
          params: ReportPath,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const deleted = await changes.run(request, (tx, caller) => reports.delete(tx, caller, request.params.id));
        return answer(reply, 200, deleted);
      },
    );
  };
}
