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
  /** Opens a stream between machines; undefined where there is only one, and the outbox is enough. */
  openSource: ((options: StreamOptions) => StreamSource) | undefined;
  /** How much of the logs may wait for the writer. */
  logBytes: number;
}

export interface Streams {
  /** From the intake to the writer. */
  logs: EventStream;
  /** Begins to move the outbox to where other machines read it. */
  start(): void;
  /** After the intake and its writer. */
  close(): Promise<void>;
}

const EVENT_BYTES = 256 * 1024 ** 2;

/** The streams between machines; undefined where there is only one, and the outbox is enough. Nothing is connected yet. */
export function createStreams({ db, runtime, clock, log }: Base, needs: StreamsNeeds): Streams | undefined {
  const { openSource, logBytes } = needs;
  if (!openSource) return undefined;
  const streamOn = (source: StreamSource) => createEventStream({ source, db, runtime, clock, log });
  const logs = streamOn(openSource({ name: "soc-logs", isDeletedWhenHandled: true, maxBytes: logBytes }));
  const events = streamOn(openSource({ name: "soc-events", isDeletedWhenHandled: false, maxBytes: EVENT_BYTES }));
  const outbox = streamOn(createOutboxSource({ db, clock }));
  let moving: Consumption | undefined;
  return {
    logs,

    start() {
      moving ??= moveOutbox({ outbox, target: events, clock });
    },

    async close() {
      await logs.close();
      // First what reads, then where it goes: what is on its way still arrives.
      await moving?.close();
      await outbox.close();
      await events.close();
    },
  };
}
