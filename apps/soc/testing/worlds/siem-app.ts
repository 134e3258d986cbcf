import { createAlertChanges } from "../../src/casework/alerts/alert-changes.ts";
import { createAlertsService } from "../../src/casework/alerts/alerts.service.ts";
import { createShowcaseAlertsStore } from "../../src/casework/alerts/alerts.showcase.ts";
import { createAlertsStore } from "../../src/casework/alerts/alerts.store.ts";
import { createCaseReads } from "../../src/casework/cases/case-reads.store.ts";
import { createCasesService } from "../../src/casework/cases/cases.service.ts";
import { createShowcaseCaseReads } from "../../src/casework/cases/cases.showcase.ts";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import { huntsRoutes } from "../../src/logs/hunts/hunts.routes.ts";
import { createHuntsService } from "../../src/logs/hunts/hunts.service.ts";
import { createShowcaseHuntsStore } from "../../src/logs/hunts/hunts.showcase.ts";
import { createHuntsStore } from "../../src/logs/hunts/hunts.store.ts";
import type { LogStore } from "../../src/logs/search/log-store.ts";
import { logsRoutes } from "../../src/logs/search/logs.routes.ts";
import { createLogsService } from "../../src/logs/search/logs.service.ts";
import { createShowcaseLogsStore } from "../../src/logs/search/logs.showcase.ts";
import { createLogsStore } from "../../src/logs/search/logs.store.ts";
import { promoteRoutes } from "../../src/logs/search/promote.routes.ts";
import { createPromoteService, type PromoteServiceDeps } from "../../src/logs/search/promote.service.ts";
import { sourcesRoutes } from "../../src/logs/search/sources.routes.ts";
import { createSourcesService, type SourceCounters } from "../../src/logs/search/sources.service.ts";
import { buildShowcase } from "../../src/showcase/showcase.ts";
import { buildShowcaseCounters } from "../../src/showcase/showcase-logs.ts";
import { featureApp, type TestPlatform } from "./feature-app.ts";

export interface SiemParts {
  logStore: LogStore;
  intake?: SourceCounters;
  rules?: PromoteServiceDeps["rules"];
  suppressions?: PromoteServiceDeps["suppressions"];
  matches?: PromoteServiceDeps["matches"];
}

/** The SIEM routes on a database and a log store, with small fakes of the intake and the detections. */
export async function siemApp(platform: TestPlatform, parts: SiemParts) {
  const { db, runtime, clock, ids, changes } = platform;
  const { logStore, intake = { counters: async () => new Map() } } = parts;
  const showcase = buildShowcase(clock.now());
  const audit = createAuditStore(ids);
  const stored = createLogsStore(logStore);
  const shown = createShowcaseLogsStore(showcase.logs);
  const logs = createLogsService({ runtime, stores: { database: stored, showcase: shown }, clock });
  const counters = { counters: async () => buildShowcaseCounters(showcase.logs) };
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
        throw new Error("unexpected deletion of a case");
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
      retryWhileBusy: (work) => work(),
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
