import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Consumption, EventStream } from "../../foundation/events/event-stream.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { DeliveriesService } from "./deliveries.service.ts";

export interface NotificationsWorkerDeps {
  events: Pick<EventStream, "consume">;
  deliveries: DeliveriesService;
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const TICK_MS = 1000;
const FORGET_TICKS = 600;
/** Limits one round, even if there is more work. */
const MAX_BATCHES = 20;
const EVENTS_BATCH_SIZE = 100;

/** Queues events and sends queued deliveries. One process at a time queues; all processes send. */
export function createNotificationsWorker({ events, deliveries, isAllowed, clock, log }: NotificationsWorkerDeps) {
  let consumption: Consumption | undefined;

  async function tick(turn: number, closing: AbortSignal): Promise<void> {
    if (!(await isAllowed())) return;
    for (let batch = 0; batch < MAX_BATCHES && !closing.aborted; batch += 1) {
      if (!(await deliveries.deliverDue()).isFull) break;
    }
    if (turn % FORGET_TICKS === 0) await deliveries.forget();
  }

  const loop = createPollingLoop({ round: tick, waitMs: TICK_MS, failure: "notification delivery failed", clock, log });

  return {
    start(): void {
      consumption ??= events.consume({
        name: "notifications",
        from: "next",
        most: EVENTS_BATCH_SIZE,
        handle: async (handed) => void (await deliveries.queue(handed.events)),
      });
      loop.start();
    },

    async close(): Promise<void> {
      await Promise.all([loop.close(), consumption?.close()]);
    },
  };
}
