import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import { type HasWork, MIN_POLL_INTERVAL_MS } from "../../foundation/work-poller.ts";
import type { Lane, WorkflowEngine } from "../../foundation/workflows/workflow-engine.ts";
import { buildEndChange, type ExecutionRow } from "./execution.ts";
import type { Continuation, ExecutionWork } from "./execution-work.store.ts";
import type { InterpreterService } from "./interpreter.service.ts";

export interface ExecutionsWorkerDeps {
  work: Pick<ExecutionWork, "claimDue" | "listOverdue" | "handOutAgain" | "forget">;
  hasDue: HasWork;
  workflows: Pick<WorkflowEngine, "enqueue" | "readStates">;
  audit: Recorder;
  /** Whether the mode allows internal workflows. */
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn" | "error">;
}

const PLAYBOOKS_LANE = "playbooks";
const CONCURRENCY = 16;
const CLAIM = 100;
/**
 * A tick is 200 ms. The mode is read about once a second, because each read is a database query and the mode changes
 * only with a restart.
 */
const ALLOWED_TICKS = 5;
const OVERDUE_SECONDS = 5;
const OVERDUE_TICKS = 15;
const OVERDUE = 200;
const FORGET_TICKS = 300;
const KEPT = 100_000;
const FORGET = 500;
const FORGET_APART_MS = 250;

/** The workflow lane of executions: a workflow id is a continuation. */
export function createPlaybooksLane(interpreter: Pick<InterpreterService, "run">): Lane {
  return {
    name: PLAYBOOKS_LANE,
    concurrency: CONCURRENCY,
    run: (id) => interpreter.run(parseContinuation(id)),
  };
}

/** Runs in every worker process: dispatches due executions and recovers lost ones. */
export function createExecutionsWorker(deps: ExecutionsWorkerDeps) {
  const { work, hasDue, workflows, audit, isAllowed, clock, log } = deps;
  let allowed = false;

  async function dispatch(closing: AbortSignal): Promise<void> {
    for (let isMore = true; isMore && !closing.aborted; ) {
      const due = await work.claimDue(CLAIM);
      // A failed enqueue is recovered by `resumeOverdue`.
      await Promise.all(due.map((handed) => workflows.enqueue(PLAYBOOKS_LANE, formatContinuation(handed))));
      isMore = due.length === CLAIM;
    }
  }

  async function giveUp(tx: Tx, execution: ExecutionRow): Promise<void> {
    const { execution_id, error } = execution;
    await audit.record(tx, buildEndChange(execution, "failed", error));
    log.error({ execution_id, error }, "execution abandoned after repeated failures");
  }

  /** The row is the source of truth; a workflow only runs it. */
  async function resumeOverdue(): Promise<void> {
    const overdue = await work.listOverdue(OVERDUE_SECONDS, OVERDUE);
    const states = await workflows.readStates(PLAYBOOKS_LANE, overdue.map(formatContinuation));
    for (const handed of overdue) {
      const state = states.get(formatContinuation(handed));
      if (state === undefined) await workflows.enqueue(PLAYBOOKS_LANE, formatContinuation(handed));
      // A finished workflow whose execution is still open lost its claim or was interrupted.
      if (state !== "failed" && state !== "done") continue;
      await work.handOutAgain(handed, giveUp);
    }
  }

  async function forget(closing: AbortSignal): Promise<void> {
    while ((await work.forget(KEPT, FORGET)) === FORGET && !closing.aborted) await clock.sleep(FORGET_APART_MS);
  }

  async function tick(turn: number, closing: AbortSignal): Promise<void> {
    if (turn % ALLOWED_TICKS === 0) allowed = await isAllowed();
    if (!allowed) return;
    if (await hasDue()) await dispatch(closing);
    if (turn % OVERDUE_TICKS === 0) await resumeOverdue();
    if (turn % FORGET_TICKS === 0) await forget(closing);
  }

  return createPollingLoop({
    round: tick,
    waitMs: 0,
    apartMs: MIN_POLL_INTERVAL_MS,
    failure: "execution dispatch failed",
    clock,
    log,
  });
}

function formatContinuation({ execution_id, continuation }: Continuation): string {
  return `${execution_id}:${continuation}`;
}

function parseContinuation(id: string): Continuation {
  const at = id.lastIndexOf(":");
  return { execution_id: id.slice(0, at), continuation: Number(id.slice(at + 1)) };
}
