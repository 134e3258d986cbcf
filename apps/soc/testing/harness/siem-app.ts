import { createAlertChanges } from "../../src/alerts/alerts/alert-changes.ts";
import { createAlerts } from "../../src/alerts/module.ts";
import { createCases } from "../../src/cases/cases/cases.feature.ts";
import { createHunts } from "../../src/logs/hunts/hunts.feature.ts";
import { createLogs, type LogsNeeds } from "../../src/logs/logs.feature.ts";
import { compileAlertQuery } from "../../src/logs/query/alert-query.ts";
import { createPromotions } from "../../src/logs/search/promote.feature.ts";
import type { PromoteServiceDeps } from "../../src/logs/search/promote.service.ts";
import type { SourceCounters } from "../../src/logs/search/sources.service.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { NO_LEDGER } from "../fixtures/no-ledger.ts";
import { featureApp, type TestPlatform } from "./feature-app.ts";

export interface SiemParts {
  logStore: LogStore;
  intake?: Partial<SourceCounters>;
  attempts?: LogsNeeds["attempts"];
  rules?: PromoteServiceDeps["rules"];
  suppressions?: PromoteServiceDeps["suppressions"];
  exceptions?: PromoteServiceDeps["exceptions"];
  matches?: PromoteServiceDeps["matches"];
}

/** A busy machine must not change a result. */
const UNHURRIED = [{ share: 1, maxSeconds: 20 }];

/** The SIEM features as the product assembles them, with small fakes of the intake and the detections. */
export async function siemApp(platform: TestPlatform, parts: SiemParts) {
  const { logStore, intake = {} } = parts;
  const alertChanges = createAlertChanges(platform);
  const cases = createCases(platform, { alerts: alertChanges, ledger: NO_LEDGER });
  const alerts = createAlerts(platform, { ...cases.services, changes: alertChanges, compileQuery: compileAlertQuery });
  const logs = createLogs(platform, {
    ...alerts.services,
    logStore,
    attempts: parts.attempts ?? UNHURRIED,
    counters: async () => intake.counters?.() ?? new Map(),
    settings: async () => intake.settings?.() ?? new Map(),
  });
  const hunts = createHunts(platform, logs.services);
  const promotions = createPromotions(platform, {
    ...logs.services,
    ...alerts.services,
    stored: alertChanges,
    rules: parts.rules ?? { findReport: async () => undefined },
    suppressions: parts.suppressions ?? { findActive: async () => undefined },
    exceptions: parts.exceptions ?? { findActive: async () => undefined },
    matches: parts.matches ?? {
      retryWhileBusy: (work) => work(),
      findAlert: async () => undefined,
      keep: async () => undefined,
    },
  });
  return featureApp(
    platform,
    ...alerts.registrations.routes,
    ...logs.registrations.routes,
    ...hunts.registrations.routes,
    ...promotions.registrations.routes,
  );
}
