import type { WorkflowQueue } from "@dbos-inc/dbos-sdk";
import { runWithAbortableDbRetries } from "@dbos-inc/dbos-sdk/internal/context";
import { getExecutor } from "@dbos-inc/dbos-sdk/internal/dbos";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { type RawBuilder, sql } from "kysely";
import { createPollingLoop } from "../foundation/polling-loop.ts";
import { type HasWork, MIN_POLL_INTERVAL_MS } from "../foundation/work-poller.ts";

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

/**
 * Runs the jobs of one lane when there are any. The library's own loop would continuously poll each lane in a
 * transaction.
 */
export function createLaneLoop({ queue, hasJobs, executorId, version, clock, log }: LaneLoopDeps) {
  let claims = 0;

  async function takeJobs(): Promise<void> {
    const executor = getExecutor();
    const { systemDatabase } = executor;
    const running = systemDatabase.countRunningWorkflowsForQueue(queue.name);
    claims += 1;
    // No other claim ever has this name, because no other process ever has the name of this executor.
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
      // The library retries a statement until the database responds, or until this loop is closed.
      if (await hasJobs()) await runWithAbortableDbRetries(closing, takeJobs);
    },
    waitMs: 0,
    apartMs: MIN_POLL_INTERVAL_MS,
    failure: "taking jobs failed",
    clock,
    log,
  });
}
