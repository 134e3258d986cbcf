import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Background } from "../../foundation/feature.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { AttestationService } from "./attestation.service.ts";

export interface AttestationWorkerDeps {
  runtime: Pick<RuntimeService, "truth">;
  attestation: Pick<AttestationService, "expire">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const WAIT_MS = 1000;
const BATCH_SIZE = 200;

/**
 * Ends requests that were not answered. Devices are not yet asked by the hour: without a relay to the broker none could
 * answer, and each would become stale.
 */
export function createAttestationWorker({ runtime, attestation, clock, log }: AttestationWorkerDeps): Background {
  return createPollingLoop({
    async round() {
      if (!(await runtime.truth()).is_internal_workflows_allowed) return WAIT_MS;
      const expired = await attestation.expire(BATCH_SIZE);
      return expired === BATCH_SIZE ? 0 : WAIT_MS;
    },
    waitMs: WAIT_MS,
    failure: "ending unanswered attestation requests failed",
    clock,
    log,
  });
}
