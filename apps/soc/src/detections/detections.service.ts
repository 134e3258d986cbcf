import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Kysely } from "kysely";
import type { AlertsService } from "../alerts/alerts.service.ts";
import type { BulkRecorder } from "../audit/audit.service.ts";
import type { Tables } from "../database/tables.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import type { LogStore } from "../siem/log-store.ts";
import { createFeedbackService } from "./feedback.service.ts";
import { createFeedbackStore } from "./feedback.store.ts";
import { createLogReader } from "./log-reader.ts";
import { createMatchesService, type KnownIocs } from "./matches.service.ts";
import { createMatchesStore } from "./matches.store.ts";
import { createMatchesListService } from "./matches-list.service.ts";
import { createMetricsService } from "./metrics.service.ts";
import { createMetricsStore } from "./metrics.store.ts";
import { createPromotedMatches } from "./promoted-matches.service.ts";
import { createRulesService } from "./rules.service.ts";
import { createRulesStore, createWorkingRules } from "./rules.store.ts";
import { createRunsService } from "./runs.service.ts";
import { createRunsStore } from "./runs.store.ts";
import type { DetectionReads } from "./showcase-detections.store.ts";
import { createSigmaImportService } from "./sigma-import.service.ts";
import { createSuppressionsService } from "./suppressions.service.ts";
import { createSuppressionsStore } from "./suppressions.store.ts";
import { createWorkerRules } from "./worker-rules.service.ts";

export interface DetectionsDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "choose">;
  logStore: Pick<LogStore, "search" | "count" | "stream">;
  /** What stands in for an absent database now. */
  showcase: () => DetectionReads;
  alerts: Pick<AlertsService, "create" | "promote">;
  iocs: KnownIocs;
  audit: BulkRecorder;
  clock: Clock;
  ids: Pick<Ids, "next">;
}
export type Detections = ReturnType<typeof createDetections>;

/** All services of the feature, put together. */
export function createDetections({ db, runtime, logStore, showcase, alerts, iocs, audit, clock, ids }: DetectionsDeps) {
  const database: DetectionReads = {
    rules: createRulesStore(db),
    runs: createRunsStore(db),
    matches: createMatchesStore(db),
    suppressions: createSuppressionsStore(db),
    feedback: createFeedbackStore(db),
    metrics: createMetricsStore(db),
    logs: createLogReader(logStore),
  };
  function beside<Name extends keyof DetectionReads>(name: Name) {
    return {
      database: database[name],
      get showcase(): DetectionReads[Name] {
        return showcase()[name];
      },
    };
  }

  const common = { runtime, audit, clock, ids };
  const readers = beside("logs");
  const rules = createRulesService({ ...common, stores: beside("rules") });
  const suppressions = createSuppressionsService({ ...common, stores: beside("suppressions"), readers, rules });
  const matches = createMatchesService({ alerts, iocs, clock, ids });
  const runs = createRunsService({ ...common, stores: beside("runs"), readers, rules, suppressions, matches });
  return {
    rules,
    imports: createSigmaImportService({ rules, clock, ids }),
    runs,
    suppressions,
    feedback: createFeedbackService({ ...common, stores: beside("feedback"), rules }),
    metrics: createMetricsService({ runtime, stores: beside("metrics"), clock }),
    matches: createMatchesListService({ runtime, stores: beside("matches"), rules }),
    promotedMatches: createPromotedMatches({ clock, ids }),
    /** For those who evaluate rules without being asked. */
    workerRules: createWorkerRules({
      db,
      rules: createWorkingRules(db),
      runs,
      matches,
      logs: database.logs,
      clock,
      ids,
    }),
  };
}
