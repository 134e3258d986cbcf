import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import { createNatsSource } from "../adapters/nats.ts";
import type { Tables } from "../foundation/database/tables.ts";
import type { Consumption, EventStream, StreamSource } from "../foundation/events/event-stream.ts";
import { createEventStream } from "../foundation/events/event-stream-on-source.ts";
import { createOutboxSource } from "../foundation/events/outbox-stream.store.ts";
import { moveOutbox } from "../foundation/events/outbox-stream.worker.ts";
import type { RuntimeService } from "../foundation/runtime/runtime.service.ts";

export interface StreamSettings {
  /** `outbox`, or where the servers of NATS are. */
  address: string;
  /** How much of the logs may wait for the writer. */
  logBytes: number;
}

export interface StreamsParts extends StreamSettings {
  db: Kysely<Tables>;
  runtime: RuntimeService;
  clock: Clock;
  ids: Ids;
  log: Log;
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
export function createStreams(parts: StreamsParts): Streams | undefined {
  const { address, logBytes, db, runtime, clock, ids, log } = parts;
  if (address === "outbox") return undefined;
  const streamOn = (source: StreamSource) => createEventStream({ source, db, runtime, clock, log });
  const shared = { url: address, clock, ids, log };
  const logs = streamOn(
    createNatsSource({ ...shared, name: "soc-logs", isDeletedWhenHandled: true, maxBytes: logBytes }),
  );
  const events = streamOn(
    createNatsSource({ ...shared, name: "soc-events", isDeletedWhenHandled: false, maxBytes: EVENT_BYTES }),
  );
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
