import type { Clock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createAlertChanges } from "../../src/casework/alerts/alert-changes.service.ts";
import { alertsRoutes } from "../../src/casework/alerts/alerts.routes.ts";
import { createAlertsService } from "../../src/casework/alerts/alerts.service.ts";
import { createAlertsStore, createShowcaseAlertsStore } from "../../src/casework/alerts/alerts.store.ts";
import { createCaseReads } from "../../src/casework/cases/case-reads.store.ts";
import { createCasesService } from "../../src/casework/cases/cases.service.ts";
import { createShowcaseCaseReads } from "../../src/casework/cases/cases.showcase.ts";
import { attackRoutes } from "../../src/detection/attack/attack.routes.ts";
import { createAttackService } from "../../src/detection/attack/attack.service.ts";
import { createAttackStore, createShowcaseAttackStore } from "../../src/detection/attack/attack.store.ts";
import { createVerdicts } from "../../src/detection/matches/feedback.service.ts";
import { detectionsRoutes } from "../../src/detection/rules/detections.routes.ts";
import { createDetections } from "../../src/detection/rules/detections.service.ts";
import { createShowcaseDetections } from "../../src/detection/rules/detections.showcase.ts";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import type { LogStore } from "../../src/logs/search/log-store.ts";
import { showcaseOf } from "../../src/showcase/showcase.ts";
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
