import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { EdrActionsService } from "./edr-actions.service.ts";

export interface EdrWorkerDeps {
  runtime: Pick<RuntimeService, "truth">;
  actions: Pick<EdrActionsService, "carryOn" | "releaseOver" | "forget">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const POLL_MS = 2000;
const FORGET_TURNS = 300;

/** Carries on what is under way at the adapter, ends isolations whose time is over and forgets what is old. Any number of processes may. */
export function createEdrWorker({ runtime, actions, clock, log }: EdrWorkerDeps) {
  async function work(turn = 0): Promise<void> {
    const { is_database_available, is_internal_workflows_allowed, is_external_actions_allowed } = await runtime.truth();
    if (!is_database_available) return;
    if (is_internal_workflows_allowed && turn % FORGET_TURNS === 0) await actions.forget();
    // What was begun in another mode waits for that mode.
    if (!is_external_actions_allowed) return;
    await actions.releaseOver();
    await actions.carryOn();
  }

  const failure = "EDR actions are tried again later";
  return { work, ...createPollingLoop({ round: work, waitMs: POLL_MS, failure, clock, log }) };
}
