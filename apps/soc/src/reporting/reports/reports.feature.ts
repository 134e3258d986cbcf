import type { Base, Registrations } from "../../foundation/base.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { createReportMaker, type ReportMakerDeps } from "./report-maker.ts";
import { createReportTool } from "./report-tool.ts";
import { createReportActions } from "./reports.actions.ts";
import { reportsRoutes } from "./reports.routes.ts";
import { createReportsService } from "./reports.service.ts";
import { createReportsStore, createReportsWriter, createShowcaseReportsStore } from "./reports.store.ts";

/** Reports are built from the data of other features. */
export function createReports(base: Base, needs: Omit<ReportMakerDeps, "clock">) {
  const { db, runtime, changes, audit, clock, ids } = base;
  const maker = createReportMaker({ ...needs, clock });
  const reports = createReportsService({
    db,
    runtime,
    stores: base.sources(createReportsStore, (showcase) =>
      createShowcaseReportsStore(showcase.reports, (report) => maker.fromShowcase(report)),
    ),
    maker,
    audit,
    ids,
  });
  return {
    services: { reports, reportTool: createReportTool({ reports, cases: needs.cases }) },
    registrations: {
      routes: [reportsRoutes(reports, changes)],
      actions: createReportActions({ reports, cases: needs.cases }),
      /** Reports need committed records, and the service cannot create them in the past of the showcase. */
      async completeDemo(showcase: Showcase): Promise<void> {
        const writer = createReportsWriter(db);
        for (const { id, report_type, format, case_id, created_by } of showcase.reports) {
          const key = `demo:${id}`;
          if (await writer.findByKey(key)) continue;
          const request = { report_type, format, ...(case_id !== null && { case_id }) };
          const { title, content, made_at } = await maker.make(created_by, request);
          const about = { id, title, report_type, case_id, format, created_by } as const;
          await writer.insert({ ...about, status: "completed", content, created_at: made_at }, key);
        }
      },
      readers: { report: ["reports:read"] as const },
    } satisfies Registrations,
  };
}
