import { sql } from "kysely";
import type { AlertsService } from "../../alerts/module.ts";
import type { KnownIocs, RulesService } from "../../detection/module.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import type { Consumption, EventStream } from "../../foundation/events/event-stream.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { WorkflowEngine } from "../../foundation/workflows/workflow-engine.ts";
import type { SitesService } from "../../identity/module.ts";
import type { LogStore } from "../../ports/log-store.ts";
import type { AgentsService } from "../agents/agents.service.ts";
import { createLogEventReader, type LogEventReaderDeps } from "../investigations/log-event-reader.ts";
import { createLogSearches } from "../investigations/log-searches.ts";
import type { Model } from "../models/model.ts";
import type { ToolsService } from "../tools/tools.service.ts";
import { freezeCaller, PLATFORM_CALLER } from "./investigation.ts";
import { createInvestigatorService, type InvestigatorDeps } from "./investigator.service.ts";
import type { Plans } from "./run-investigation.ts";
import { createRunWork, DUE_INVESTIGATIONS } from "./run-work.store.ts";
import { runsRoutes } from "./runs.routes.ts";
import { createRunsService, STEPS_RETENTION_MS } from "./runs.service.ts";
import { createRunsStore, createRunsWriter, createShowcaseRunsStore } from "./runs.store.ts";
import {
  consumeAlerts,
  createAlertInvestigations,
  createInvestigationsLane,
  createInvestigationsWorker,
  INVESTIGATIONS_CONSUMER,
} from "./runs.worker.ts";

export interface RunsNeeds {
  alerts: AlertsService;
  sites: Pick<SitesService, "all" | "findNames">;
  agents: AgentsService;
  tools: Pick<ToolsService, "call" | "find" | "listUsable">;
  model: Model | undefined;
  plans: Plans;
  opensCases?: boolean;
  detections: Pick<LogEventReaderDeps, "feedback" | "matches"> & { rules: RulesService };
  hits: KnownIocs;
  logStore: Pick<LogStore, "lane">;
  outbox: EventStream;
  beginConsumer: (db: Db, consumer: string) => Promise<void>;
}

const DAY_MS = 24 * 60 * 60_000;
const RUNS_RETENTION_MS = 365 * DAY_MS;
const SWEEP_BATCH_SIZE = 500;

/** Counts the runs of each agent in the 24 hours before `now`. */
export async function countRuns(db: Db, now: Date): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ agent_id: string; runs: number }>`
    SELECT agent_id, count(*)::int AS runs FROM agent_runs
    WHERE started_at > ${new Date(now.getTime() - DAY_MS)} GROUP BY agent_id`.execute(db);
  return new Map(rows.map(({ agent_id, runs }) => [agent_id, runs]));
}

/** Handles investigations: requests, records and execution. */
export function createRuns(base: Base, needs: RunsNeeds) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const { alerts, sites, agents, tools, model, plans, detections, hits, logStore, outbox, beginConsumer, opensCases } =
    needs;
  const stores = base.sources(createRunsStore, (showcase) => createShowcaseRunsStore(showcase.investigations));
  const runs = createRunsService({ runtime, stores, alerts, agents, audit, clock, ids });
  const work = createRunWork(db);
  const before = (retentionMs: number) => new Date(clock.now().getTime() - retentionMs);

  const createReader = (caller: Caller, signal: AbortSignal) =>
    createLogEventReader({
      caller,
      logs: createLogSearches(logStore.lane("previews"), toScope(caller), signal),
      alerts,
      feedback: detections.feedback,
      matches: detections.matches,
      iocs: { findIn: (logs) => db.transaction().execute((tx) => hits.findIn(tx, logs)) },
    });

  /** A test may replace the reader and the tools, and stop at a step. */
  function createInvestigator(
    options: Partial<Pick<InvestigatorDeps, "createReader" | "onCheckpoint" | "tools">> = {},
  ) {
    const { rules } = detections;
    const facts = {
      alerts,
      rules,
      sites,
      agents,
      tools,
      model,
      plans,
      createReader,
      ...(opensCases !== undefined && { opensCases }),
    };
    const records = stores.database;
    return createInvestigatorService({ ...facts, db, work, records, audit, clock, ids, log, ...options });
  }

  function createWork() {
    const investigator = createInvestigator();
    const hasDue = base.dueWork.watch(DUE_INVESTIGATIONS);
    const isAllowed = async () => (await runtime.truth()).is_internal_workflows_allowed;
    const automatic = createAlertInvestigations({ db, alerts, audit, clock, ids, log });
    let consumption: Consumption | undefined;
    return {
      lanes: [createInvestigationsLane(investigator)],
      background: (workflows: WorkflowEngine) => [
        createInvestigationsWorker({ db, work, hasDue, runs, workflows, audit, isAllowed, clock, log }),
        {
          start() {
            consumption ??= consumeAlerts(outbox, automatic, log);
          },
          close: async () => consumption?.close(),
        },
      ],
    };
  }

  return {
    services: { runs, work, createInvestigator },
    registrations: {
      routes: [runsRoutes(runs, changes)],
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        for (const { id: _, steps: __, ...shown } of showcase.investigations) {
          const held = { owner: null, due_at: null, handed_out_at: null, continuation: 1, failures: 0 };
          const caller = freezeCaller({ ...PLATFORM_CALLER, username: shown.requested_by });
          await createRunsWriter(tx).insertEnded({ ...shown, ...held, caller, event_id: null, was_dropped: false });
        }
      },
      onFirstAnswer: (answering: Db) => beginConsumer(answering, INVESTIGATIONS_CONSUMER),
      readers: { investigation: ["agents:read"] as const },
      sweeps: [
        { name: "investigations", run: () => work.forget(before(RUNS_RETENTION_MS), SWEEP_BATCH_SIZE) },
        { name: "investigation steps", run: () => work.forgetSteps(before(STEPS_RETENTION_MS), SWEEP_BATCH_SIZE) },
      ],
      createWork,
    } satisfies Registrations,
  };
}
