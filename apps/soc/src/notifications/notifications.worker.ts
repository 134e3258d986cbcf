import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Consumption, EventStream } from "../events/event-stream.ts";
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
/** A turn ends even when there is always more. */
const MOST_BATCHES = 20;
const EVENTS_AT_ONCE = 100;

/** Queues what happens and sends what is queued. Of several processes one queues at a time, and all of them send. */
export function createNotificationsWorker({ events, deliveries, isAllowed, clock, log }: NotificationsWorkerDeps) {
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let consumption: Consumption | undefined;

  async function tick(turn: number): Promise<void> {
    if (!(await isAllowed())) return;
    for (let batch = 0; batch < MOST_BATCHES && !closing.signal.aborted; batch += 1) {
      if (!(await deliveries.deliverDue()).isFull) break;
    }
    if (turn % FORGET_TICKS === 0) await deliveries.forget();
  }

  async function tickForEver(): Promise<void> {
    for (let turn = 0; !closing.signal.aborted; turn += 1) {
      await tick(turn).catch((error: unknown) => log.warn({ err: error }, "notifications not sent"));
      await clock.sleep(TICK_MS, closing.signal).catch(() => undefined);
    }
  }

  return {
    run(): void {
      consumption ??= events.consume({
        name: "notifications",
        from: "next",
        most: EVENTS_AT_ONCE,
        handle: async (handed) => void (await deliveries.queue(handed.events)),
      });
      running ??= tickForEver();
    },

    async close(): Promise<void> {
      closing.abort();
      await consumption?.close();
      await running;
    },
  };
}
