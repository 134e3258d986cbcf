import { invalidField, Problem } from "@kit/problem";
import type { Consumption, EventStream, StreamSource } from "./event-stream.ts";
import { type ConsumptionDeps, startConsumption } from "./event-stream-consumption.ts";

export interface EventStreamDeps extends ConsumptionDeps {
  source: StreamSource;
}

const MAX_EVENTS = 10_000;
const PUBLISH_CONCURRENCY = 64;

/**
 * A stream on a source. It has no queue: `publish` resolves when the source has stored the events and rejects
 * otherwise.
 */
export function createEventStream(deps: EventStreamDeps): EventStream {
  const { source } = deps;
  const consumptions = new Set<Consumption>();
  let publishing = 0;
  let isClosed = false;

  return {
    async publish(events) {
      if (isClosed) throw new Problem("unavailable", "the stream is closed");
      if (events.length > MAX_EVENTS) throw invalidField("events", `must be at most ${MAX_EVENTS} at once`);
      if (publishing >= PUBLISH_CONCURRENCY) {
        throw new Problem("unavailable", "the stream is busy", { code: "stream_busy", retryAfterSeconds: 1 });
      }
      publishing += 1;
      try {
        await source.publish(events);
      } finally {
        publishing -= 1;
      }
    },

    consume(consumer) {
      if (isClosed) throw new Problem("unavailable", "the stream is closed");
      const consumption = startConsumption(deps, consumer);
      consumptions.add(consumption);
      return {
        async close() {
          consumptions.delete(consumption);
          await consumption.close();
        },
      };
    },

    async close() {
      isClosed = true;
      await Promise.all([...consumptions].map((consumption) => consumption.close()));
      await source.close();
    },
  };
}
