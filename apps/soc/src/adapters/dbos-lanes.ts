import type { WorkflowQueue } from "@dbos-inc/dbos-sdk";
import { runWithAbortableDbRetries } from "@dbos-inc/dbos-sdk/internal/context";
import { getExecutor } from "@dbos-inc/dbos-sdk/internal/dbos";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { type RawBuilder, sql } from "kysely";
import { BETWEEN_LOOKS_MS, type HasWork } from "../foundation/due-work.ts";
import { createPollingLoop } from "../foundation/polling-loop.ts";

export interface LaneLoopDeps {
  queue: WorkflowQueue;
  hasJobs: HasWork;
  executorId: string;
  version: string;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

export function selectJobs(lane: string): RawBuilder<unknown> {
  return sql`SELECT FROM dbos.workflow_status WHERE queue_name = ${lane} AND status = 'ENQUEUED'`;
}

/** Runs the jobs of one lane when there are any. The library's own loop asks for each lane in a transaction, all the time. */
export function createLaneLoop({ queue, hasJobs, executorId, version, clock, log }: LaneLoopDeps) {
  let claims = 0;

  async function takeJobs(): Promise<void> {
    const executor = getExecutor();
    const { systemDatabase } = executor;
    const running = systemDatabase.countRunningWorkflowsForQueue(queue.name);
    claims += 1;
    // No other claim has or has had this name, as no other process has that of the executor.
    const owner = `${executorId}:${queue.name}:${claims}`;
    const taken = await systemDatabase.findAndMarkStartableWorkflows(
      queue,
      executorId,
      version,
      undefined,
      running,
      0,
      owner,
    );
    await executor.dispatchDequeuedWorkflows(taken, owner);
  }

  return createPollingLoop({
    async round(_turn, closing) {
      // The library repeats a statement until the database answers, or this loop is closed.
      if (await hasJobs()) await runWithAbortableDbRetries(closing, takeJobs);
    },
    waitMs: 0,
    apartMs: BETWEEN_LOOKS_MS,
    failure: "taking jobs failed",
    clock,
    log,
  });
}
