import { createAlertChanges } from "../../src/casework/alerts/alert-changes.ts";
import { createAlertsService } from "../../src/casework/alerts/alerts.service.ts";
import { createShowcaseAlertsStore } from "../../src/casework/alerts/alerts.showcase.ts";
import { createAlertsStore } from "../../src/casework/alerts/alerts.store.ts";
import { createCaseReads } from "../../src/casework/cases/case-reads.store.ts";
import { casesRoutes } from "../../src/casework/cases/cases.routes.ts";
import { createCasesService } from "../../src/casework/cases/cases.service.ts";
import { createShowcaseCaseReads } from "../../src/casework/cases/cases.showcase.ts";
import { createLedgerService } from "../../src/casework/ledger/ledger.service.ts";
import { createShowcaseLedgerStore } from "../../src/casework/ledger/ledger.showcase.ts";
import { createLedgerStore } from "../../src/casework/ledger/ledger.store.ts";
import { createAuditService } from "../../src/foundation/audit/audit.service.ts";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import { createShowcaseEntriesStore } from "../../src/foundation/audit/entries.showcase.ts";
import { createEntriesStore } from "../../src/foundation/audit/entries.store.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import { createReportMaker } from "../../src/reporting/reports/report-maker.ts";
import { createReportActions } from "../../src/reporting/reports/reports.actions.ts";
import { reportsRoutes } from "../../src/reporting/reports/reports.routes.ts";
import { createReportsService } from "../../src/reporting/reports/reports.service.ts";
import { createShowcaseReportsStore } from "../../src/reporting/reports/reports.showcase.ts";
import { createReportsStore } from "../../src/reporting/reports/reports.store.ts";
import { statsRoutes } from "../../src/reporting/stats/stats.routes.ts";
import { createStatsService } from "../../src/reporting/stats/stats.service.ts";
import { createShowcaseStatsStore } from "../../src/reporting/stats/stats.showcase.ts";
import { createStatsStore } from "../../src/reporting/stats/stats.store.ts";
import { NO_FEATURE_COUNTS } from "../../src/reporting/stats/stats.ts";
import { buildShowcase } from "../../src/showcase/showcase.ts";
import { buildShowcaseReports } from "../../src/showcase/showcase-reports.ts";
import { createSampleKey } from "../fixtures/sample-ledger.ts";
import { featureApp, testPlatform } from "./feature-app.ts";

/** Reports and statistics with their sources: cases, alerts, the ledger and the audit log. */
export async function startReports(mode: Mode, database: "fresh" | "none" = "fresh") {
  const platform = await testPlatform(mode, database);
  const { db, runtime, ids, changes, clock } = platform;
  const showcase = buildShowcase(clock.now());
  const audit = createAuditStore(ids);
  const key = createSampleKey();
  const ledger = createLedgerService({
    runtime,
    stores: { database: createLedgerStore(db), showcase: createShowcaseLedgerStore(showcase.ledger, key) },
    key,
    clock,
  });
  const alertChanges = createAlertChanges({ audit, clock });
  const cases = createCasesService({
    runtime,
    reads: { database: createCaseReads(db), showcase: createShowcaseCaseReads(showcase.cases) },
    audit,
    alerts: alertChanges,
    ledger,
    clock,
    ids,
  });
  const alerts = createAlertsService({
    runtime,
    stores: { database: createAlertsStore(db), showcase: createShowcaseAlertsStore(showcase.alerts) },
    changes: alertChanges,
    cases,
    audit,
    clock,
    ids,
  });
  const stats = createStatsService({
    runtime,
    stores: {
      database: createStatsStore(db, async () => NO_FEATURE_COUNTS),
      showcase: createShowcaseStatsStore(showcase, NO_FEATURE_COUNTS),
    },
    topRules: async ({ username }) => [{ rule_id: "r-1", name: `Seen by ${username}`, matches: 7 }],
    clock,
  });
  const maker = createReportMaker({
    cases,
    alerts,
    ledger,
    stats,
    audit: createAuditService({
      runtime,
      stores: { database: createEntriesStore(db), showcase: createShowcaseEntriesStore(showcase.audit) },
    }),
    responses: async () => [],
    clock,
  });
  const showcaseStore = createShowcaseReportsStore(buildShowcaseReports(clock.now()), (report) =>
    maker.fromShowcase(report),
  );
  const reports = createReportsService({
    runtime,
    stores: { database: createReportsStore(db), showcase: showcaseStore },
    maker,
    audit,
    ids,
  });
  const app = await featureApp(
    platform,
    reportsRoutes(reports, changes),
    statsRoutes(stats),
    casesRoutes(cases, changes),
  );
  const as = (role: string) => ({ headers: { "x-role": role } });
  return {
    platform,
    showcase,
    actions: createReportActions({ reports }),
    get: (path: string, role = "admin") => app.inject({ url: `/api/v1${path}`, ...as(role) }),
    post: (path: string, payload: object, role = "admin") =>
      app.inject({ method: "POST", url: `/api/v1${path}`, payload, ...as(role) }),
    remove: (path: string, role = "admin") => app.inject({ method: "DELETE", url: `/api/v1${path}`, ...as(role) }),
  };
}
export type ReportsApp = Awaited<ReturnType<typeof startReports>>;
