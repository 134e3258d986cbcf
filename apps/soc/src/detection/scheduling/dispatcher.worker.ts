import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { WorkflowEngine, WorkflowState } from "../../foundation/workflows/workflow-engine.ts";
import type { LogStore } from "../../ports/log-store.ts";
import type { Batch } from "../rules/schedule.ts";
import type { AccountingStore } from "./accounting.store.ts";
import type { BackfillStore } from "./backfill.store.ts";
import type { ScanService } from "./dispatcher-scan.service.ts";
import type { ScheduleStore, UnfinishedBatch } from "./schedule.store.ts";

export interface DispatcherWorkerDeps {
  accounting: Pick<AccountingStore, "sync">;
  schedule: Pick<ScheduleStore, "claimDue" | "listOverdue" | "retry" | "forget">;
  backfills: Pick<BackfillStore, "claimDue">;
  workflows: Pick<WorkflowEngine, "enqueue" | "readStates" | "forget">;
  scan: Pick<ScanService, "follow">;
  logStore: Pick<LogStore, "isAvailable">;
  /** No log will be stored below this instant any more. */
  watermark: () => Promise<Date>;
  /** Whether internal pipelines are allowed to run. */
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

export const SCHEDULED_LANE = "detections";
export const BACKFILL_LANE = "detections-backfill";
const TICK_MS = 1000;
/**
 * Each sync handles up to a thousand new or changed rules. Workers read all rules again after each change, so an import
 * is handled in one tick.
 */
const SYNCS_PER_TICK = 20;
const CLAIMS_PER_TICK = 40;
const BACKFILLS_PER_TICK = 20;
/** A batch is enqueued right after it is claimed. If an older one is not enqueued, its worker crashed in between. */
const ENQUEUED_SECONDS = 1;
/** Failed batches are retried after a delay, because the log store or the database may be unreachable for a while. */
const RETRY_SECONDS = 10;
const RETRY_TICKS = 5;
const FORGET_TICKS = 60;
const KEPT_SECONDS = 3600;

/** Every second, in every worker: dispatches due rules and recovers lost batches. */
export function createDispatcherWorker(deps: DispatcherWorkerDeps) {
  const { accounting, schedule, backfills, workflows, scan, logStore, watermark, isAllowed, clock, log } = deps;

  const workflowIdOf = ({ id, attempt = 1 }: Batch & Partial<UnfinishedBatch>) => `${id}:${attempt}`;

  async function dispatch(closing: AbortSignal): Promise<void> {
    const below = await watermark();
    scan.follow(below);
    let enqueueing = Promise.resolve();
    for (let claims = 0; claims < CLAIMS_PER_TICK && !closing.aborted; claims += 1) {
      const { batches, hasMore } = await schedule.claimDue(below);
      // Enqueue while the next claim runs. If enqueueing fails, the batch is recovered as overdue.
      await enqueueing;
      enqueueing = enqueueAll(batches);
      if (!hasMore) break;
    }
    await enqueueing;
  }

  async function enqueueAll(batches: readonly Batch[]): Promise<void> {
    await Promise.all(batches.map((batch) => workflows.enqueue(SCHEDULED_LANE, workflowIdOf(batch)))).catch(
      (error: unknown) => log.warn({ err: error }, "enqueueing batches failed"),
    );
  }

  async function dispatchBackfills(): Promise<void> {
    for (const { id, attempts } of await backfills.claimDue(BACKFILLS_PER_TICK)) {
      await workflows.enqueue(BACKFILL_LANE, `${id}:${attempts}`);
    }
  }

  /** The row of a batch is the source of truth; the workflow only executes it. */
  async function unfinishedBy(seconds: number, state: WorkflowState | undefined): Promise<UnfinishedBatch[]> {
    const unfinished = await schedule.listOverdue(seconds);
    const states = await workflows.readStates(SCHEDULED_LANE, unfinished.map(workflowIdOf));
    return unfinished.filter((batch) => states.get(workflowIdOf(batch)) === state);
  }

  async function enqueueForgotten(): Promise<void> {
    await enqueueAll(await unfinishedBy(ENQUEUED_SECONDS, undefined));
  }

  async function retryFailed(): Promise<void> {
    for (const batch of await unfinishedBy(RETRY_SECONDS, "failed")) {
      await schedule.retry(batch.id, batch.attempt);
      await workflows.enqueue(SCHEDULED_LANE, workflowIdOf({ ...batch, attempt: batch.attempt + 1 }));
    }
  }

  async function forget(): Promise<void> {
    await schedule.forget(KEPT_SECONDS);
    await workflows.forget(KEPT_SECONDS * 1000);
  }

  async function syncAll(closing: AbortSignal): Promise<void> {
    for (let syncs = 0; syncs < SYNCS_PER_TICK && !closing.aborted; syncs += 1) {
      if ((await accounting.sync()) === 0) return;
    }
  }

  async function tick(turn: number, closing: AbortSignal): Promise<void> {
    if (!(await isAllowed())) return;
    await syncAll(closing);
    // While the log store is unreachable, windows are late and grow, without failing runs.
    if (await logStore.isAvailable()) {
      await dispatch(closing);
      await dispatchBackfills();
    }
    await enqueueForgotten();
    if (turn % RETRY_TICKS === 0) await retryFailed();
    if (turn % FORGET_TICKS === 0) await forget();
  }

  return createPollingLoop({
    // Turns count from 1, so that the periodic tasks do not run in the first tick.
    round: (turn, closing) => tick(turn + 1, closing),
    waitMs: 0,
    apartMs: TICK_MS,
    failure: "rule dispatch failed",
    clock,
    log,
  });
}

/** The id that the workflow executes, without the attempt number. */
export function parseWorkflowId(workflowId: string): string {
  return workflowId.slice(0, workflowId.lastIndexOf(":"));
}
