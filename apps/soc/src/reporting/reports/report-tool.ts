import { COMPLETED, defineTool, raceAbort, type Tool } from "../../assistants/module.ts";
import type { CasesService } from "../../cases/module.ts";
import { toScope } from "../../foundation/caller/caller.ts";
import { requireReportScope } from "./report-scope.ts";
import { GenerateReportInput, GenerateReportOutput } from "./report-tool.schema.ts";
import type { ReportsService } from "./reports.service.ts";

export interface ReportToolDeps {
  reports: Pick<ReportsService, "draft" | "keep">;
  cases: Pick<CasesService, "get">;
}

export function createReportTool({ reports, cases }: ReportToolDeps): Tool {
  return defineTool({
    name: "generate_report",
    description: "Creates and stores a report from the stored facts. An investigation report needs a case_id.",
    permission: "cases:write",
    input: GenerateReportInput,
    output: GenerateReportOutput,
    budgetMs: 60_000,
    changes: true,
    async run({ caller, signal, change }, { report_type, ...request }) {
      const { username } = caller;
      await requireReportScope(cases, toScope(caller), request);
      // The document requires no type, so it follows from the other fields.
      const chosen = report_type ?? (request.case_id === undefined ? "executive" : "investigation");
      const draft = await raceAbort(reports.draft(username, { ...request, report_type: chosen }), signal);
      const { dry_run, result } = await change((tx) => reports.keep(tx, username, draft));
      return { report_id: result.id, ...COMPLETED, content: result.content, ...(dry_run && { dry_run }) };
    },
  });
}
