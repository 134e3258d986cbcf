import type { Clock } from "@kit/clock";
import type { Consumption, EventStream } from "./event-stream.ts";

export interface OutboxMoveDeps {
  outbox: Pick<EventStream, "consume">;
  target: Pick<EventStream, "publish">;
  clock: Pick<Clock, "now">;
}

// One message of the other stream.
const BATCH_SIZE = 100;

/**
 * Moves what happens in the outbox to a stream that other machines read. One process does at a time, any may: the outbox hands
 * it each batch again until the other stream has it, and the other stream drops what it has already.
 */
export function moveOutbox({ outbox, target, clock }: OutboxMoveDeps): Consumption {
  return outbox.consume({
    name: "publisher",
    from: "first",
    most: BATCH_SIZE,
    async handle({ id, events, hasGap }) {
      // Whoever reads there must hear of what is missing, as whoever reads here does.
      const at = clock.now().toISOString();
      const gap = { id: `gap before ${id}`, at, type: "stream.interrupted", subject_id: "outbox", data: {} };
      if (hasGap) await target.publish([gap]);
      await target.publish(events);
    },
  });
}
