import { createAlertChanges } from "../src/alerts/alert-changes.service.ts";
import { createAlertsService } from "../src/alerts/alerts.service.ts";
import { createAlertsStore, createShowcaseAlertsStore } from "../src/alerts/alerts.store.ts";
import { createAuditStore } from "../src/audit/audit.store.ts";
import { createCaseReads } from "../src/cases/case-reads.store.ts";
import { createCasesService } from "../src/cases/cases.service.ts";
import { createShowcaseCaseReads } from "../src/cases/showcase-cases.store.ts";
import { showcaseOf } from "../src/showcase/showcase.ts";
import { countersOf } from "../src/showcase/showcase-logs.ts";
import { huntsRoutes } from "../src/siem/hunts.routes.ts";
import { createHuntsService } from "../src/siem/hunts.service.ts";
import { createHuntsStore, createShowcaseHuntsStore } from "../src/siem/hunts.store.ts";
import type { LogStore } from "../src/siem/log-store.ts";
import { logsRoutes } from "../src/siem/logs.routes.ts";
import { createLogsService } from "../src/siem/logs.service.ts";
import { createLogsStore, createShowcaseLogsStore } from "../src/siem/logs.store.ts";
import { promoteRoutes } from "../src/siem/promote.routes.ts";
import { createPromoteService, type PromoteServiceDeps } from "../src/siem/promote.service.ts";
import { sourcesRoutes } from "../src/siem/sources.routes.ts";
import { createSourcesService, type SourceCounters } from "../src/siem/sources.service.ts";
import { featureApp, type TestPlatform } from "./feature-app.ts";

export interface SiemParts {
  logStore: LogStore;
  intake?: SourceCounters;
  rules?: PromoteServiceDeps["rules"];
  suppressions?: PromoteServiceDeps["suppressions"];
  matches?: PromoteServiceDeps["matches"];
}

/** The SIEM's routes on a database and a log store, with few honest lines for the intake and the detections. */
export async function siemApp(platform: TestPlatform, parts: SiemParts) {
  const { db, runtime, clock, ids, changes } = platform;
  const { logStore, intake = { counters: async () => new Map() } } = parts;
  const showcase = showcaseOf(clock.now());
  const audit = createAuditStore(ids);
  const stored = createLogsStore(logStore);
  const shown = createShowcaseLogsStore(showcase.logs);
  const logs = createLogsService({ runtime, stores: { database: stored, showcase: shown }, clock });
  const counters = { counters: async () => countersOf(showcase.logs) };
  const sources = createSourcesService({
    runtime,
    stores: { database: { logs: stored, intake }, showcase: { logs: shown, intake: counters } },
  });
  const hunts = createHuntsService({
    runtime,
    stores: { database: createHuntsStore(db), showcase: createShowcaseHuntsStore(showcase.hunts) },
    logs,
    audit,
    clock,
    ids,
  });
  const alertChanges = createAlertChanges({ audit, clock });
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
  const alertStores = { database: createAlertsStore(db), showcase: createShowcaseAlertsStore(showcase.alerts) };
  const alerts = createAlertsService({ runtime, stores: alertStores, changes: alertChanges, cases, audit, clock, ids });
  const promotions = createPromoteService({
    logs,
    rules: parts.rules ?? { findReport: async () => undefined },
    suppressions: parts.suppressions ?? { findActive: async () => undefined },
    matches: parts.matches ?? {
      whenFree: (work) => work(),
      findAlert: async () => undefined,
      keep: async () => undefined,
    },
    alerts,
    stored: alertChanges,
    audit,
  });
  return featureApp(
    platform,
    logsRoutes(logs),
    huntsRoutes(hunts, changes),
    sourcesRoutes(sources),
    promoteRoutes(promotions, changes),
  );
}
