import type { Base } from "../../foundation/base.ts";
import { createReportMaker, type ReportMakerDeps } from "./report-maker.ts";
import { createReportActions } from "./reports.actions.ts";
import { reportsRoutes } from "./reports.routes.ts";
import { createReportsService } from "./reports.service.ts";
import { createShowcaseReportsStore } from "./reports.showcase.ts";
import { createReportsStore } from "./reports.store.ts";

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
    reports,
    routes: [reportsRoutes(reports, changes)],
    actions: createReportActions({ reports }),
    readers: { report: ["reports:read"] as const },
  };
}
