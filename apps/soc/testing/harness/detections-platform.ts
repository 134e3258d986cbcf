import type { Clock } from "@kit/clock";
import { createAlertChanges } from "../../src/alerts/alerts/alert-changes.ts";
import { createAlerts } from "../../src/alerts/module.ts";
import { createCases } from "../../src/cases/cases/cases.feature.ts";
import { createAttack } from "../../src/detection/attack/attack.feature.ts";
import { createBacktests } from "../../src/detection/backtests/backtests.feature.ts";
import { createVerdicts } from "../../src/detection/feedback/verdicts.feature.ts";
import { createDetections } from "../../src/detection/module.ts";
import { createOutbox } from "../../src/foundation/events/events.feature.ts";
import { createSourcesStore } from "../../src/logs/intake/sources.store.ts";
import { compileAlertQuery } from "../../src/logs/query/alert-query.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { NO_LEDGER } from "../fixtures/no-ledger.ts";
import { featureApp, type TestPlatform, withClock } from "./feature-app.ts";

/** The detection features as the product assembles them, on the given log store. */
export async function detectionsPlatform(platform: TestPlatform, logStore: LogStore, clock: Clock = platform.clock) {
  const base = withClock(platform, clock);
  const alertChanges = createAlertChanges(base);
  const cases = createCases(base, { alerts: alertChanges, ledger: NO_LEDGER });
  const alerts = createAlerts(base, {
    ...cases.services,
    changes: alertChanges,
    verdicts: createVerdicts(base),
    compileQuery: compileAlertQuery,
  });
  const rules = createDetections(base, {
    ...alerts.services,
    logStore,
    holdChange: undefined,
    iocs: { findIn: async () => [] },
  });
  const sources = createSourcesStore(base.db);
  const findSources = (names: readonly string[]) => sources.find(names);
  const attack = createAttack(base, { ...rules.services.detections, findSources });
  const backtests = createBacktests(base, { ...rules.services, ...createOutbox(base).services, logStore });
  const routes = [
    ...alerts.registrations.routes,
    ...rules.registrations.routes,
    ...attack.registrations.routes,
    ...backtests.registrations.routes,
  ];
  const app = await featureApp(platform, ...routes);
  return { app, detections: rules.services.detections, alerts: alerts.services.alerts, alertChanges, backtests };
}
