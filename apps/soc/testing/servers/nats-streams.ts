import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { createNatsSource, type NatsSourceDeps } from "../../src/adapters/nats/nats.ts";
import type { Delivery, EventStream, StreamEvent, StreamSource } from "../../src/foundation/events/event-stream.ts";
import { createEventStream } from "../../src/foundation/events/event-stream-on-source.ts";
import { createOutboxSource } from "../../src/foundation/events/outbox-stream.store.ts";
import type { TestPlatform } from "../harness/feature-app.ts";

const clock = createClock();
const ids = createIds(clock);

export function sampleEvents(count: number, name = "e"): StreamEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    id: ids.next(),
    at: clock.now().toISOString(),
    type: "alert.created",
    subject_id: `${name}${index}`,
    data: { index },
  }));
}

export type NatsOptions = Pick<NatsSourceDeps, "url"> & Partial<NatsSourceDeps>;

export function natsSource(options: NatsOptions): StreamSource {
  const usual = { name: "test", isDeletedWhenHandled: false, maxBytes: 1024 ** 3 } as const;
  return createNatsSource({ ...usual, clock, ids, log: silentLog, ...options });
}

type Parts = Pick<TestPlatform, "db" | "runtime">;

export function streamOn(source: StreamSource, { db, runtime }: Parts, log: Log = silentLog): EventStream {
  return createEventStream({ source, db, runtime, clock, log });
}

export function outboxStream(parts: Parts, log?: Log): EventStream {
  return streamOn(createOutboxSource({ db: parts.db, clock }), parts, log);
}

/** A consumer that collects its deliveries. */
export function collector() {
  const deliveries: Delivery[] = [];
  return {
    deliveries,
    subjects: () => deliveries.flatMap(({ events }) => events.map(({ subject_id }) => subject_id)),
    handle: async (delivery: Delivery) => void deliveries.push(delivery),
  };
}

/** Simulates the death of the lock holders: terminates their database connections. */
export async function killHolders({ url }: Pick<TestPlatform, "url">): Promise<void> {
  const owner = new pg.Client(url);
  await owner.connect();
  await owner.query(`
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  await owner.end();
}
