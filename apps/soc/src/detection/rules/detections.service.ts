import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Kysely } from "kysely";
import type { AlertsService } from "../../casework/alerts/alerts.service.ts";
import type { BulkRecorder } from "../../foundation/audit/audit.service.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogStore } from "../../logs/search/log-store.ts";
import { createFeedbackService } from "../matches/feedback.service.ts";
import { createFeedbackStore } from "../matches/feedback.store.ts";
import { createMatchesService, type KnownIocs } from "../matches/matches.service.ts";
import { createMatchesStore } from "../matches/matches.store.ts";
import { createMatchesListService } from "../matches/matches-list.service.ts";
import { createPromotedMatches } from "../matches/promoted-matches.service.ts";
import { createSuppressionsService } from "../matches/suppressions.service.ts";
import { createSuppressionsStore } from "../matches/suppressions.store.ts";
import { createLogReader } from "../runs/log-reader.ts";
import { createMetricsService } from "../runs/metrics.service.ts";
import { createMetricsStore } from "../runs/metrics.store.ts";
import { createRunsService } from "../runs/runs.service.ts";
import { createRunsStore } from "../runs/runs.store.ts";
import { createWorkerRules } from "../scheduling/worker-rules.service.ts";
import { createSigmaImportService } from "../sigma/sigma-import.service.ts";
import type { DetectionReads } from "./detections.showcase.ts";
import { createRulesService } from "./rules.service.ts";
import { createRulesStore, createWorkingRules } from "./rules.store.ts";

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
