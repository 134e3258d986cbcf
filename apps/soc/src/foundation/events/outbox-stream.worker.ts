import type { Clock } from "@kit/clock";
import type { Consumption, EventStream } from "./event-stream.ts";

export interface OutboxMoveDeps {
  outbox: Pick<EventStream, "consume">;
  target: Pick<EventStream, "publish">;
  clock: Pick<Clock, "now">;
}

// One message of the target stream.
const BATCH_SIZE = 100;

/**
 * Copies outbox events to a stream that other machines read. One process at a time does this, and any process can take
 * over: the outbox redelivers each batch until the target stream has stored it, and the target stream drops duplicates.
 */
export function moveOutbox({ outbox, target, clock }: OutboxMoveDeps): Consumption {
  return outbox.consume({
    name: "publisher",
    from: "first",
    most: BATCH_SIZE,
    async handle({ id, events, hasGap }) {
      // Consumers of the target stream must learn of the gap, as consumers of the outbox do.
      const at = clock.now().toISOString();
      const gap = { id: `gap before ${id}`, at, type: "stream.interrupted", subject_id: "outbox", data: {} };
      if (hasGap) await target.publish([gap]);
      await target.publish(events);
    },
  });
}
