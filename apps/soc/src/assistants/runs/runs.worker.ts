import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { AlertsService } from "../../alerts/module.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import type { Consumption, EventStream, StreamEvent } from "../../foundation/events/event-stream.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import { type HasWork, MIN_POLL_INTERVAL_MS } from "../../foundation/work-poller.ts";
import type { Lane, WorkflowEngine } from "../../foundation/workflows/workflow-engine.ts";
import { buildInvestigation, PLATFORM_CALLER } from "./investigation.ts";
import { buildEndChange, type InvestigatorService } from "./investigator.service.ts";
import type { ClaimedRun, RunWork } from "./run-work.store.ts";
import { QUEUE_CAPACITY, type RunsService } from "./runs.service.ts";
import { createRunsWriter } from "./runs.store.ts";

const LANE = "investigations";
export const INVESTIGATIONS_CONSUMER = "investigations";
/** Per process; the instances of the agents limit all processes together. */
const CONCURRENCY = 10;
/** A tick is 200 ms. Mode and width are read about once a second while investigations wait. */
const WIDTH_TICKS = 4;
const OVERDUE_SECONDS = 3;
const OVERDUE_TICKS = 10;
const OVERDUE_BATCH_SIZE = 100;

/** The workflow lane of investigations: a workflow id is a claim. */
export function createInvestigationsLane(investigator: Pick<InvestigatorService, "run">): Lane {
  return {
    name: LANE,
    concurrency: CONCURRENCY,
    run: (id) => investigator.run(parseHanded(id)),
  };
}

export interface InvestigationsWorkerDeps {
  db: Kysely<Tables>;
  work: Pick<RunWork, "claim" | "listOverdue" | "handOutAgain">;
  hasDue: HasWork;
  runs: Pick<RunsService, "readWidth">;
  workflows: Pick<WorkflowEngine, "enqueue" | "readStates">;
  audit: Recorder;
  /** Whether the mode allows internal workflows. */
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn" | "error">;
}

/** Runs in every worker process: dispatches waiting investigations and recovers lost ones. */
export function createInvestigationsWorker(deps: InvestigationsWorkerDeps) {
  const { db, work, hasDue, runs, workflows, audit, isAllowed, clock, log } = deps;
  let width = 0;
  let readTurn = -WIDTH_TICKS;

  /** The row is the source of truth; a workflow only executes it. */
  async function resumeOverdue(): Promise<void> {
    const overdue = await work.listOverdue(OVERDUE_SECONDS, OVERDUE_BATCH_SIZE);
    const states = await workflows.readStates(LANE, overdue.map(formatHanded));
    for (const handed of overdue) {
      const state = states.get(formatHanded(handed));
      if (state === undefined) await workflows.enqueue(LANE, formatHanded(handed));
      if (state !== "failed" && state !== "done") continue;
      const ended = await work.handOutAgain(handed);
      if (!ended) continue;
      log.error({ investigation_id: ended.investigation_id }, "investigation abandoned after repeated failures");
      await db.transaction().execute((tx) => audit.record(tx, buildEndChange(ended)));
    }
  }

  async function handOut(turn: number): Promise<void> {
    if (turn - readTurn >= WIDTH_TICKS) {
      width = (await isAllowed()) ? await runs.readWidth() : 0;
      readTurn = turn;
    }
    if (width === 0) return;
    const handed = await work.claim(width);
    // A failed enqueue is recovered by `resumeOverdue`.
    await Promise.all(handed.map((each) => workflows.enqueue(LANE, formatHanded(each))));
  }

  async function tick(turn: number): Promise<void> {
    if (await hasDue()) await handOut(turn);
    if (turn % OVERDUE_TICKS === 0) await resumeOverdue();
  }

  return createPollingLoop({
    round: tick,
    waitMs: 0,
    apartMs: MIN_POLL_INTERVAL_MS,
    failure: "investigation dispatch failed",
    clock,
    log,
  });
}

export interface AlertInvestigationsDeps {
  db: Kysely<Tables>;
  alerts: Pick<AlertsService, "get">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "warn" | "error">;
}

const EVENTS_BATCH_SIZE = 100;
const MAX_ATTEMPTS = 10;
const DROPPED = `dropped: ${QUEUE_CAPACITY} more severe or earlier investigations were waiting`;

/** Queues one investigation for each event of a new or reopened alert. */
export function createAlertInvestigations({ db, alerts, audit, clock, ids, log }: AlertInvestigationsDeps) {
  async function findAlert(alert_id: string) {
    try {
      return await alerts.get(ALL_SITES, alert_id);
    } catch (error) {
      if (error instanceof Problem && error.kind === "not_found") return undefined;
      throw error;
    }
  }

  return {
    /** Idempotent by the id of the event. */
    async consider({ id: event_id, type, subject_id }: Pick<StreamEvent, "id" | "type" | "subject_id">): Promise<void> {
      if (type !== "alert.created" && type !== "alert.reopened") return;
      const alert = await findAlert(subject_id);
      if (!alert) return;
      const request = { alert_context: { alert_id: alert.id } };
      const made = {
        investigation_id: ids.next(),
        request,
        alert,
        event_id,
        caller: PLATFORM_CALLER,
        now: clock.now(),
      };
      const row = buildInvestigation(made);
      await db.transaction().execute(async (tx) => {
        if (!(await createRunsWriter(tx).insert(row))) return;
        await audit.record(tx, {
          actor: PLATFORM_CALLER.username,
          action: "investigation.requested",
          subject_type: "investigation",
          subject_id: row.investigation_id,
          details: { alert_id: alert.id, severity: alert.severity, trigger: "alert" },
        });
      });
    },

    /** Drops investigations above the capacity of the queue, least severe first. */
    async bound(): Promise<void> {
      const dropped = await createRunsWriter(db).dropBeyond(QUEUE_CAPACITY, DROPPED, clock.now());
      if (dropped.length > 0) log.warn({ dropped: dropped.length }, "investigation queue is full");
    },
  };
}

export function consumeAlerts(
  outbox: Pick<EventStream, "consume">,
  investigations: ReturnType<typeof createAlertInvestigations>,
  log: Pick<Log, "error">,
): Consumption {
  return outbox.consume({
    name: INVESTIGATIONS_CONSUMER,
    from: "next",
    most: EVENTS_BATCH_SIZE,
    async handle({ events, attempt }) {
      for (const event of events) {
        await investigations.consider(event).catch((error: unknown) => {
          if (attempt < MAX_ATTEMPTS) throw error;
          log.error({ err: error, event: event.id, subject_id: event.subject_id }, "alert investigation not started");
        });
      }
      await investigations.bound();
    },
  });
}

function formatHanded({ investigation_id, continuation }: ClaimedRun): string {
  return `${investigation_id}:${continuation}`;
}

function parseHanded(id: string): ClaimedRun {
  const at = id.lastIndexOf(":");
  return { investigation_id: id.slice(0, at), continuation: Number(id.slice(at + 1)) };
}
