import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import type { EdrActionsService } from "./edr-actions.service.ts";

export interface EdrWorkerDeps {
  runtime: Pick<RuntimeService, "truth">;
  actions: Pick<EdrActionsService, "carryOn" | "releaseOver">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const LOOK_MS = 2000;

/** Carries on what is under way at the adapter, and ends isolations whose time is over. Any number of processes may. */
export function createEdrWorker({ runtime, actions, clock, log }: EdrWorkerDeps) {
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    const { is_database_available, is_external_actions_allowed } = await runtime.truth();
    // What was begun in another mode waits for that mode.
    if (!is_database_available || !is_external_actions_allowed) return;
    await actions.releaseOver();
    await actions.carryOn();
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      await work().catch((error: unknown) => log.warn({ err: error }, "EDR actions are tried again later"));
      await clock.sleep(LOOK_MS, closing.signal).catch(() => undefined);
    }
  }

  return {
    work,

    run(): void {
      running ??= loop();
    },

    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };
}
