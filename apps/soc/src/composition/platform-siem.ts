import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import type { AlertsService } from "../casework/alerts/alerts.service.ts";
import type { TopologyServiceDeps } from "../casework/sites/topology.service.ts";
import type { Recorder } from "../foundation/audit/audit.service.ts";
import type { Tables } from "../foundation/database/tables.ts";
import type { EventStream } from "../foundation/events/event-stream.ts";
import { beside } from "../foundation/runtime/beside.ts";
import type { RuntimeService } from "../foundation/runtime/runtime.service.ts";
import { createIntakeParts } from "../logs/intake/intake-parts.worker.ts";
import { createHuntsService } from "../logs/search/hunts.service.ts";
import { createHuntsStore, createShowcaseHuntsStore } from "../logs/search/hunts.store.ts";
import type { LogStore } from "../logs/search/log-store.ts";
import { createLogsService } from "../logs/search/logs.service.ts";
import { createLogsStore, createShowcaseLogsStore } from "../logs/search/logs.store.ts";
import { createSourcesService } from "../logs/search/sources.service.ts";
import type { Retelling } from "../showcase/retelling.ts";
import { countersOf } from "../showcase/showcase-logs.ts";

export interface SiemParts {
  db: Kysely<Tables>;
  runtime: RuntimeService;
  logStore: LogStore;
  retell: Retelling;
  alerts: Pick<AlertsService, "create">;
  audit: Recorder;
  machine: TopologyServiceDeps["machine"];
  /** By which logs go from the intake to the writer; left out, the intake writes. */
  stream: EventStream | undefined;
  clock: Clock;
  ids: Ids;
  log: Log;
}

const UNSETTLED_MS = 70_000;

/** Logs: how they come in, and how they are found. */
export function createSiem(parts: SiemParts) {
  const { db, runtime, logStore, retell, alerts, audit, machine, stream, clock, ids, log } = parts;
  const intake = createIntakeParts({
    db,
    runtime,
    logStore,
    alerts,
    name: machine.hostname,
    // On one box the engine's end is the end of every insert; elsewhere it outlives the one who asked.
    unsettledMs: machine.deployment_mode === "one_box" ? 0 : UNSETTLED_MS,
    ...(stream && { stream }),
    clock,
    ids,
    log,
  });
  const stored = createLogsStore(logStore);
  const toldLogs = retell((showcase) => createShowcaseLogsStore(showcase.logs));
  const logs = createLogsService({ runtime, stores: beside(stored, toldLogs), clock });
  const counters = async () => new Map((await intake.sources.states()).map((state) => [state.source, state]));
  const logSources = createSourcesService({
    runtime,
    stores: beside(
      { logs: stored, intake: { counters } },
      retell((showcase) => ({ logs: toldLogs(), intake: { counters: async () => countersOf(showcase.logs) } })),
    ),
  });
  const hunts = createHuntsService({
    runtime,
    stores: beside(
      createHuntsStore(db),
      retell((showcase) => createShowcaseHuntsStore(showcase.hunts)),
    ),
    logs,
    audit,
    clock,
    ids,
  });
  return { intake, logs, logSources, hunts };
}
