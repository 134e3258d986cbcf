import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Kysely } from "kysely";
import { createAlertChanges } from "../src/alerts/alert-changes.service.ts";
import { createAlertsService } from "../src/alerts/alerts.service.ts";
import { createAlertsStore } from "../src/alerts/alerts.store.ts";
import { createAuditStore } from "../src/audit/audit.store.ts";
import type { Tables } from "../src/database/tables.ts";
import { createLogReader } from "../src/detections/log-reader.ts";
import { createMatchesService } from "../src/detections/matches.service.ts";
import { createWorkingRules } from "../src/detections/rules.store.ts";
import { createRunsService } from "../src/detections/runs.service.ts";
import { createRunsStore } from "../src/detections/runs.store.ts";
import { createWorkerRules } from "../src/detections/worker-rules.service.ts";
import type { LogStore } from "../src/siem/log-store.ts";

export interface TestedRulesDeps {
  db: Kysely<Tables>;
  logStore: LogStore;
  clock: Clock;
  ids: Ids;
}

/** The rules with their real door to alerts; without cases, which none of them opens. */
export function createTestedRules({ db, logStore, clock, ids }: TestedRulesDeps) {
  const absent = () => Promise.reject(new Error("is not part of this test"));
  const runtime = { choose: async <Source>({ database }: { database: Source }) => database };
  const audit = createAuditStore(ids);
  const alertsStore = createAlertsStore(db);
  const alerts = createAlertsService({
    runtime,
    stores: { database: alertsStore, showcase: alertsStore },
    changes: createAlertChanges({ audit, clock }),
    cases: { open: absent, find: absent, note: absent },
    audit,
    clock,
    ids,
  });
  const matches = createMatchesService({ alerts, iocs: { findIn: async () => [] }, clock, ids });
  const reader = createLogReader(logStore);
  const runsStore = createRunsStore(db);
  const runs = createRunsService({
    runtime,
    stores: { database: runsStore, showcase: runsStore },
    readers: { database: reader, showcase: reader },
    rules: { get: absent },
    suppressions: { listActive: absent },
    matches,
    audit,
    clock,
    ids,
  });
  return createWorkerRules({ db, rules: createWorkingRules(db), runs, matches, logs: reader, clock, ids });
}
