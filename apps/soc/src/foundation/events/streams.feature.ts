import type { Base } from "../base.ts";
import type { Consumption, EventStream, StreamSource } from "./event-stream.ts";
import { createEventStream } from "./event-stream-on-source.ts";
import { createOutboxSource } from "./outbox-stream.store.ts";
import { moveOutbox } from "./outbox-stream.worker.ts";

export interface StreamOptions {
  name: string;
  isDeletedWhenHandled: boolean;
  maxBytes: number;
}

export interface StreamsNeeds {
  /** Opens a stream between machines; undefined with a single machine, where the outbox is enough. */
  openSource: ((options: StreamOptions) => StreamSource) | undefined;
  /** The maximum size of the logs that wait for the writer. */
  logBytes: number;
}

export interface Streams {
  /** Carries logs from the intake to the writer. */
  logs: EventStream;
  /** Carries the events of the outbox to all machines. */
  events: Pick<StreamSource, "last" | "readAfter">;
  /** Starts to copy the outbox to the stream that other machines read. */
  start(): void;
  /** Call it after the intake and its writer are closed. */
  close(): Promise<void>;
}

const EVENT_BYTES = 256 * 1024 ** 2;

/**
 * The streams between machines; undefined with a single machine, where the outbox is enough. Nothing is connected yet.
 */
export function createStreams({ db, runtime, clock, log }: Base, needs: StreamsNeeds): Streams | undefined {
  const { openSource, logBytes } = needs;
  if (!openSource) return undefined;
  const streamOn = (source: StreamSource) => createEventStream({ source, db, runtime, clock, log });
  const logs = streamOn(openSource({ name: "soc-logs", isDeletedWhenHandled: true, maxBytes: logBytes }));
  const eventSource = openSource({ name: "soc-events", isDeletedWhenHandled: false, maxBytes: EVENT_BYTES });
  const events = streamOn(eventSource);
  const outbox = streamOn(createOutboxSource({ db, clock }));
  let moving: Consumption | undefined;
  return {
    logs,
    events: eventSource,

    start() {
      moving ??= moveOutbox({ outbox, target: events, clock });
    },

    async close() {
      await logs.close();
      // Close the consumer before its target, so that the batch in progress still arrives.
      await moving?.close();
      await outbox.close();
      await events.close();
    },
  };
}
