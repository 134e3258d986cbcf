import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { buildFileName, decodeContent } from "./report.ts";
import { CreateReportRequest, ListReportsQuery, ReportBody, ReportPath, ReportSummaryBody } from "./reports.schema.ts";
import type { ReportsService } from "./reports.service.ts";

// A report quotes text of attackers. This policy disables scripts and requests of a page opened from this route.
const SANDBOX_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

export function reportsRoutes(reports: ReportsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/reports",
      operation(
        "listReports",
        "List reports",
        { needs: ["reports:read"], byKey: true },
        { querystring: ListReportsQuery, response: { 200: PageOf(ReportSummaryBody) } },
      ),
      async ({ query }) => reports.list(query),
    );

    app.get(
      "/reports/:id",
      operation(
        "getReport",
        "Get a report",
        { needs: ["reports:read"], byKey: true },
        { params: ReportPath, response: { 200: ReportBody } },
      ),
      async ({ params }) => reports.get(params.id),
    );

    app.get(
      "/reports/:id/download",
      operation(
        "downloadReport",
        "Download a report",
        { needs: ["reports:read"], byKey: true, exports: "report.downloaded" },
        { description: "The file with its own content type, never run by a browser.", params: ReportPath },
      ),
      async ({ params }, reply) => {
        const report = await reports.get(params.id);
        return reply
          .type(report.content_type)
          .header("content-disposition", `attachment; filename="${buildFileName(report)}"`)
          .header("content-security-policy", SANDBOX_POLICY)
          .send(decodeContent(report));
      },
    );

    app.post(
      "/reports",
      operation(
        "createReport",
        "Create a report",
        { needs: ["cases:write"], effect: "change", byKey: true },
        {
          description:
            "`case_id` is required for `investigation`. Covers the last 30 days unless `from` and `to` say otherwise, at most 366.",
          body: CreateReportRequest,
          response: { 200: PreviewOf(ReportBody), 201: ReportBody },
        },
      ),
      async (request, reply) => {
        const caller = callerOf(request);
        const draft = await reports.draft(caller.username, request.body);
        const kept = await changes.run(request, (tx) => reports.keep(tx, caller.username, draft));
        return answer(reply, 201, kept);
      },
    );

    app.delete(
      "/reports/:id",
      operation(
        "deleteReport",
        "Delete a report",
        { needs: ["cases:delete"], effect: "change" },
        { params: ReportPath, response: { 200: WithPreviewOf(Deleted) } },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => reports.delete(tx, caller, request.params.id)),
    );
  };
}
