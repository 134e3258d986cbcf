import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { type NatsServers, startNatsServers } from "../../../testing/servers/nats-servers.ts";
import { natsSource, outboxStream, streamOn } from "../../../testing/servers/nats-streams.ts";
import { createEventFeed } from "./event-feed.worker.ts";
import type { EventStream, StreamSource } from "./event-stream.ts";
import { createEventsStore } from "./events.store.ts";
import { moveOutbox } from "./outbox-stream.worker.ts";
import { createRecentEvents } from "./recent-events.ts";

const SOON = { timeout: 20_000 };
const POLL_MS = 50;
const clock = createClock();
let platform: TestPlatform;
let servers: NatsServers;
let source: StreamSource;
let target: EventStream;
let outbox: EventStream;
let closing: (() => void | Promise<void>)[];

beforeEach(async () => {
  closing = [];
  platform = await testPlatform("real");
  servers = await startNatsServers(1);
  source = natsSource({ url: servers.url, name: "soc-events" });
  target = streamOn(source, platform);
  outbox = outboxStream(platform);
});
afterEach(async () => {
  for (const close of closing) await close();
  await outbox.close();
  await target.close();
  await servers.stop();
  await platform.close();
});

async function insert(from: number, to: number): Promise<void> {
  await sql`
    INSERT INTO outbox (type, actor, subject_type, subject_id, data)
    SELECT 'alert.created', 'noor', 'alert', n, '{"a":1}' FROM generate_series(${from}::int, ${to}::int) AS n`.execute(
    platform.db,
  );
}

/** An API process that reads events for its listeners and counts its queries to the database. */
async function startReader() {
  const store = createEventsStore(platform.db);
  const counts = { reads: 0, found: 0 };
  const counted = {
    ...store,
    async read(after: bigint, limit: number) {
      counts.reads += 1;
      const events = await store.read(after, limit);
      counts.found += events.length;
      return events;
    },
  };
  const recent = createRecentEvents({ store: counted, clock });
  const feed = createEventFeed({ source, recent, clock, log: silentLog });
  await feed.start();
  const received: string[] = [];
  let isOver = false;
  const first = await store.last();
  const reading = (async () => {
    for (let place = first; !isOver; ) {
      const events = await recent.read(place, 100).catch(() => []);
      received.push(...events.map(({ subject_id }) => subject_id));
      place = events.at(-1)?.place ?? place;
      await clock.sleep(POLL_MS);
    }
  })();
  closing.push(async () => {
    isOver = true;
    await reading;
    await feed.close();
  });
  return { counts, received, recent };
}

const names = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

it("delivers events through the stream, complete and in order, with one database query every two seconds", async () => {
  const moving = moveOutbox({ outbox, target, clock });
  closing.push(() => moving.close());
  const { counts, received } = await startReader();
  await insert(1, 10);
  await expect.poll(() => received, SOON).toEqual(names(1, 10));
  // The process knows that the feed works only after the first event.
  await clock.sleep(3000);
  const before = { ...counts };
  for (let n = 11; n <= 60; n += 1) {
    await insert(n, n);
    await clock.sleep(60);
  }
  await expect.poll(() => received, SOON).toEqual(names(1, 60));
  // 60 polls or more: a read every two seconds, and a few while an event was committed but not yet in the stream.
  expect(counts.found - before.found).toBeLessThan(25);
  expect(counts.reads - before.reads).toBeLessThan(30);
});

it("reads the database if nothing copies events to the stream", async () => {
  const { received } = await startReader();
  await insert(1, 5);
  await expect.poll(() => received, SOON).toEqual(names(1, 5));
});

it("loses no event while the stream server is killed and restarted", async () => {
  const moving = moveOutbox({ outbox, target, clock });
  closing.push(() => moving.close());
  const { received } = await startReader();
  await insert(1, 5);
  await expect.poll(() => received, SOON).toEqual(names(1, 5));
  await servers.nodes[0]?.kill();
  await insert(6, 20);
  await expect.poll(() => received, SOON).toEqual(names(1, 20));
  await servers.nodes[0]?.start();
  for (let n = 21; n <= 40; n += 1) await insert(n, n);
  await expect.poll(() => received, SOON).toEqual(names(1, 40));
});

it("delivers the same event fields as the database", async () => {
  const moving = moveOutbox({ outbox, target, clock });
  closing.push(() => moving.close());
  const added: unknown[] = [];
  const feed = createEventFeed({
    source,
    recent: { add: (event) => void added.push(event), setLive: () => undefined },
    clock,
    log: silentLog,
  });
  await feed.start();
  closing.push(() => feed.close());
  await clock.sleep(1000);
  await insert(1, 3);
  await expect.poll(() => added.length, SOON).toBe(3);
  expect(added).toEqual(await createEventsStore(platform.db).read(0n, 10));
});
