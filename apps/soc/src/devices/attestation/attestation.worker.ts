import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Background } from "../../foundation/base.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { AttestationService } from "./attestation.service.ts";
import { isAskingAllowed } from "./attestation.ts";

export interface AttestationWorkerDeps {
  runtime: Pick<RuntimeService, "truth">;
  attestation: Pick<AttestationService, "expire" | "remind" | "askDue">;
  /** Whether requests can reach the devices at all. */
  hasBroker: boolean;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const WAIT_MS = 1000;
const BATCH_SIZE = 200;

/**
 * Requests an attestation from each device once an hour, and ends unanswered requests. Without a broker it sends none,
 * because each device would become stale.
 */
export function createAttestationWorker(deps: AttestationWorkerDeps): Background {
  const { runtime, attestation, hasBroker, clock, log } = deps;
  return createPollingLoop({
    async round() {
      const truth = await runtime.truth();
      if (!truth.is_internal_workflows_allowed) return WAIT_MS;
      const expired = await attestation.expire(BATCH_SIZE);
      if (!hasBroker || !isAskingAllowed(truth)) return expired === BATCH_SIZE ? 0 : WAIT_MS;
      const reminded = await attestation.remind(BATCH_SIZE);
      const asked = await attestation.askDue(BATCH_SIZE);
      return [expired, reminded, asked].includes(BATCH_SIZE) ? 0 : WAIT_MS;
    },
    waitMs: WAIT_MS,
    failure: "attestation round failed",
    clock,
    log,
  });
}
