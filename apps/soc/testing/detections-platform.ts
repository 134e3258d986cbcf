import type { Clock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createAlertChanges } from "../src/alerts/alert-changes.service.ts";
import { alertsRoutes } from "../src/alerts/alerts.routes.ts";
import { createAlertsService } from "../src/alerts/alerts.service.ts";
import { createAlertsStore, createShowcaseAlertsStore } from "../src/alerts/alerts.store.ts";
import { attackRoutes } from "../src/attack/attack.routes.ts";
import { createAttackService } from "../src/attack/attack.service.ts";
import { createAttackStore, createShowcaseAttackStore } from "../src/attack/attack.store.ts";
import { createAuditStore } from "../src/audit/audit.store.ts";
import { createCaseReads } from "../src/cases/case-reads.store.ts";
import { createCasesService } from "../src/cases/cases.service.ts";
import { createShowcaseCaseReads } from "../src/cases/showcase-cases.store.ts";
import { detectionsRoutes } from "../src/detections/detections.routes.ts";
import { createDetections } from "../src/detections/detections.service.ts";
import { createVerdicts } from "../src/detections/feedback.service.ts";
import { createShowcaseDetections } from "../src/detections/showcase-detections.store.ts";
import { showcaseOf } from "../src/showcase/showcase.ts";
import type { LogStore } from "../src/siem/log-store.ts";
import { featureApp, type TestPlatform } from "./feature-app.ts";

/** Rules and all that they need, as the product puts them together, on the given logs. */
export async function detectionsPlatform(platform: TestPlatform, logStore: LogStore, clock: Clock = platform.clock) {
  const { db, runtime, changes } = platform;
  const ids = createIds(clock);
  const audit = createAuditStore(ids);
  const alertChanges = createAlertChanges({ audit, clock });
  const showcase = showcaseOf(clock.now());
  const cases = createCasesService({
    runtime,
    reads: { database: createCaseReads(db), showcase: createShowcaseCaseReads(showcase.cases) },
    audit,
    alerts: alertChanges,
    ledger: {
      append: async () => {
        throw new Error("no case is deleted here");
      },
    },
    clock,
    ids,
  });
  const alerts = createAlertsService({
    runtime,
    stores: { database: createAlertsStore(db), showcase: createShowcaseAlertsStore(showcase.alerts) },
    changes: alertChanges,
    cases,
    verdicts: createVerdicts({ audit, clock, ids }),
    audit,
    clock,
    ids,
  });
  const told = createShowcaseDetections(showcase.detections, showcase.logs);
  const detections = createDetections({
    db,
    runtime,
    logStore,
    showcase: () => told,
    alerts,
    iocs: { findIn: async () => [] },
    audit,
    clock,
    ids,
  });
  const attack = createAttackService({
    runtime,
    stores: { database: createAttackStore(db), showcase: createShowcaseAttackStore() },
    rules: detections.rules,
    audit,
    clock,
  });
  const app = await featureApp(
    platform,
    alertsRoutes(alerts, changes),
    detectionsRoutes(detections, changes),
    attackRoutes(attack, changes),
  );
  return { app, detections, alerts, alertChanges };
}
