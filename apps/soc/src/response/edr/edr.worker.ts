import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { EdrActionsService } from "./edr-actions.service.ts";

export interface EdrWorkerDeps {
  runtime: Pick<RuntimeService, "truth">;
  actions: Pick<EdrActionsService, "retryDue" | "releaseExpired" | "forget">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const POLL_MS = 2000;
const FORGET_TURNS = 300;

/** Retries due actions, ends expired isolations and deletes old actions. Any number of processes may run it. */
export function createEdrWorker({ runtime, actions, clock, log }: EdrWorkerDeps) {
  async function work(turn = 0): Promise<void> {
    const { is_database_available, is_internal_workflows_allowed, is_external_actions_allowed } = await runtime.truth();
    if (!is_database_available) return;
    if (is_internal_workflows_allowed && turn % FORGET_TURNS === 0) await actions.forget();
    // Actions that were started in another mode wait until that mode returns.
    if (!is_external_actions_allowed) return;
    await actions.releaseExpired();
    await actions.retryDue();
  }

  const failure = "EDR actions failed and will be retried";
  return { work, ...createPollingLoop({ round: work, waitMs: POLL_MS, failure, clock, log }) };
}
