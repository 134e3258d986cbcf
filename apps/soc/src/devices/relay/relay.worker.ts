import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Background } from "../../foundation/base.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { RelayService } from "./relay.service.ts";

export interface RelayWorkerDeps {
  relay: RelayService;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const IDLE_MS = 500;
const WAITING_MS = 50;
/** Ten requests per round match the rate at which the platform settles answers. */
const APART_MS = 100;

/** Sends requests as they become due. */
export function createRelayWorker({ relay, clock, log }: RelayWorkerDeps): Background {
  const loop = createPollingLoop({
    async round() {
      const sent = await relay.relay();
      if (sent === "waiting") return WAITING_MS;
      return sent === 0 ? IDLE_MS : 0;
    },
    waitMs: IDLE_MS,
    apartMs: APART_MS,
    failure: "attestation request relay failed",
    clock,
    log,
  });
  return {
    start: () => loop.start(),
    async close() {
      await loop.close();
      relay.close();
    },
  };
}
