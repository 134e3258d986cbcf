import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Background } from "../../foundation/base.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { RevocationsService } from "./revocations.service.ts";

export interface BrokerWorkerDeps {
  runtime: Pick<RuntimeService, "truth">;
  revocations: RevocationsService;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const WAIT_MS = 2000;
const LIST_AGE_MS = 60 * 60_000;
const CUT_TURNS = 15;
/** Mosquitto closes a connection without an identified client after 90 s. */
const CUT_AGAIN_MS = 3 * 60_000;

/** Keeps the revocation list fresh and finishes revocations whose request failed or crashed. */
export function createBrokerWorker({ runtime, revocations, clock, log }: BrokerWorkerDeps): Background {
  return createPollingLoop({
    async round(turn) {
      if (!(await runtime.truth()).is_internal_workflows_allowed) return;
      await revocations.refresh(LIST_AGE_MS);
      await revocations.settle();
      if (turn % CUT_TURNS === 0) await revocations.cutAgain(CUT_AGAIN_MS);
    },
    waitMs: WAIT_MS,
    failure: "broker maintenance failed",
    clock,
    log,
  });
}
