import { createAlertChanges } from "../../src/alerts/alerts/alert-changes.ts";
import { createAlerts } from "../../src/alerts/module.ts";
import { createCases } from "../../src/cases/cases/cases.feature.ts";
import { createLedger } from "../../src/cases/ledger/ledger.feature.ts";
import { buildShowcase } from "../../src/demo/showcase.ts";
import { createAuditLog } from "../../src/foundation/audit.feature.ts";
import type { Count } from "../../src/foundation/base.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import { compileAlertQuery } from "../../src/logs/query/alert-query.ts";
import { createReports } from "../../src/reporting/reports/reports.feature.ts";
import { createStats } from "../../src/reporting/stats/stats.feature.ts";
import { NO_FEATURE_COUNTS } from "../../src/reporting/stats/stats.ts";
import { createSampleKey } from "../fixtures/sample-ledger.ts";
import { featureApp, testPlatform } from "./feature-app.ts";

const HOUR_MS = 3_600_000;

/** Reports and statistics with their sources: cases, alerts, the ledger and the audit log. */
export async function startReports(mode: Mode, database: "fresh" | "none" = "fresh") {
  const platform = await testPlatform(mode, database);
  // The worker that writes the checkpoint file is not started.
  const ledger = createLedger(platform, { key: createSampleKey(), checkpointFile: "ledger-checkpoints.ndjson" });
  const alertChanges = createAlertChanges(platform);
  const cases = createCases(platform, { ...ledger.services, alerts: alertChanges });
  const alerts = createAlerts(platform, { ...cases.services, changes: alertChanges, compileQuery: compileAlertQuery });
  const { approvals_pending, agents, endpoints, devices, detections } = NO_FEATURE_COUNTS;
  const stats = createStats(platform, {
    topRules: async ({ username }) => [{ rule_id: "r-1", name: `Seen by ${username}`, matches: 7 }],
    counts: {
      approvals_pending: constantCount(approvals_pending),
      agents: constantCount(agents),
      endpoints: constantCount(endpoints),
      devices: constantCount(devices),
      detections: constantCount(detections),
    },
  });
  const {
    services: { auditLog },
  } = createAuditLog(platform);
  const reports = createReports(platform, {
    ...{ ...cases.services, ...alerts.services, ...ledger.services, ...stats.services, audit: auditLog },
    responses: async () => [],
  });
  const app = await featureApp(
    platform,
    ...reports.registrations.routes,
    ...stats.registrations.routes,
    ...cases.registrations.routes,
  );
  const as = (role: string) => ({ headers: { "x-role": role } });
  return {
    platform,
    // As shown by the platform: for the start of this hour.
    showcase: buildShowcase(new Date(Math.floor(platform.clock.now().getTime() / HOUR_MS) * HOUR_MS)),
    actions: reports.registrations.actions,
    get: (path: string, role = "admin") => app.inject({ url: `/api/v1${path}`, ...as(role) }),
    post: (path: string, payload: object, role = "admin") =>
      app.inject({ method: "POST", url: `/api/v1${path}`, payload, ...as(role) }),
    remove: (path: string, role = "admin") => app.inject({ method: "DELETE", url: `/api/v1${path}`, ...as(role) }),
  };
}
export type ReportsApp = Awaited<ReturnType<typeof startReports>>;

function constantCount<Value>(value: Value): Count<Value> {
  return { stored: async () => value, shown: () => value };
}
