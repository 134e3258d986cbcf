import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { collector, killHolders, outboxStream, sampleEvents } from "../../../testing/servers/nats-streams.ts";
import type { EventStream, StreamEvent } from "./event-stream.ts";
import { createEventsStore } from "./events.store.ts";
import { moveOutbox } from "./outbox-stream.worker.ts";

const SOON = { timeout: 20_000 };
let platform: TestPlatform;
let outbox: EventStream;

beforeEach(async () => {
  platform = await testPlatform("real");
  outbox = outboxStream(platform);
});
afterEach(async () => {
  await outbox.close();
  await platform.close();
});

async function insert(...subjects: string[]): Promise<void> {
  for (const subject of subjects) {
    await sql`INSERT INTO outbox (type, subject_id, data) VALUES ('alert.created', ${subject}, '{}')`.execute(
      platform.db,
    );
  }
}

async function sweepAll(): Promise<void> {
  const store = createEventsStore(platform.db);
  const tomorrow = new Date(platform.clock.now().getTime() + 86_400_000);
  await expect.poll(() => store.deleteSome(tomorrow, 1000), SOON).toBeGreaterThan(0);
}

/** A stream that collects published events and can refuse them. */
function target() {
  const published: StreamEvent[] = [];
  return {
    published,
    subjects: () => published.map(({ subject_id }) => subject_id),
    isRefusing: false,
    async publish(events: readonly StreamEvent[]) {
      if (this.isRefusing) throw new Error("unreachable");
      published.push(...events);
    },
  };
}

it("names a change by its transaction and its row, in any order of commits", async () => {
  const seen = collector();
  await insert("a");
  outbox.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await expect.poll(() => seen.subjects(), SOON).toEqual(["a"]);
  const { rows } = await sql<{ name: string }>`SELECT xid || '-' || id AS name FROM outbox`.execute(platform.db);
  expect(seen.deliveries[0]?.events[0]?.id).toBe(rows[0]?.name);
});

it("reports once that events were deleted before the consumer read them, and continues after them", async () => {
  const seen = collector();
  const consumption = outbox.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await insert("a");
  await expect.poll(() => seen.subjects(), SOON).toEqual(["a"]);
  await consumption.close();
  await insert("b", "c");
  await sweepAll();
  outbox.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await expect.poll(() => seen.deliveries.map(({ hasGap }) => hasGap), SOON).toEqual([false, true]);
  await insert("d");
  await expect.poll(() => seen.subjects(), SOON).toEqual(["a", "d"]);
  expect(seen.deliveries.map(({ hasGap }) => hasGap)).toEqual([false, true, false]);
});

it("reports no gap if the consumer has read the deleted events", async () => {
  const seen = collector();
  const consumption = outbox.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await insert("a", "b");
  await expect.poll(() => seen.subjects(), SOON).toEqual(["a", "b"]);
  await consumption.close();
  await sweepAll();
  await insert("c");
  outbox.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await expect.poll(() => seen.subjects(), SOON).toEqual(["a", "b", "c"]);
  expect(seen.deliveries.some(({ hasGap }) => hasGap)).toBe(false);
});

it("reports a gap if its cursor belongs to another server, and begins with the oldest event", async () => {
  await insert("a");
  await sql`INSERT INTO stream_cursors (stream, consumer, handled, claimed)
    VALUES ('outbox', 'c', '999999999', '1000000000')`.execute(platform.db);
  const seen = collector();
  outbox.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await expect.poll(() => seen.subjects(), SOON).toEqual(["a"]);
  expect(seen.deliveries[0]?.hasGap).toBe(true);
});

it("moves all events once and in order with two publishers, even if one of them crashes", async () => {
  const other = outboxStream(platform);
  const stream = target();
  for (const each of [outbox, other]) moveOutbox({ outbox: each, target: stream, clock: platform.clock });
  const subjects = Array.from({ length: 60 }, (_, index) => `s${index}`);
  await insert(...subjects.slice(0, 20));
  await expect.poll(() => stream.subjects().length, SOON).toBe(20);
  await killHolders(platform);
  await insert(...subjects.slice(20, 40));
  await expect.poll(() => stream.subjects().length, SOON).toBe(40);
  await outbox.close();
  await insert(...subjects.slice(40));
  await expect.poll(() => stream.subjects().length, SOON).toBe(60);
  expect(stream.subjects()).toEqual(subjects);
  await other.close();
});

it("keeps events in the outbox while the target stream refuses them, and moves them once it accepts", async () => {
  const stream = target();
  stream.isRefusing = true;
  moveOutbox({ outbox, target: stream, clock: platform.clock });
  await outbox.publish(sampleEvents(150));
  await platform.clock.sleep(1000);
  expect(stream.published).toEqual([]);
  stream.isRefusing = false;
  await expect.poll(() => stream.subjects().length, SOON).toBe(150);
  expect(stream.published[0]).toMatchObject({ type: "alert.created", subject_id: "e0", data: { index: 0 } });
});

it("reports a gap to the target stream if events were deleted before they were moved", async () => {
  const stream = target();
  const moving = moveOutbox({ outbox, target: stream, clock: platform.clock });
  await insert("a");
  await expect.poll(() => stream.subjects(), SOON).toEqual(["a"]);
  await moving.close();
  await insert("b");
  await sweepAll();
  moveOutbox({ outbox, target: stream, clock: platform.clock });
  await expect
    .poll(() => stream.published.map(({ type }) => type), SOON)
    .toEqual(["alert.created", "stream.interrupted"]);
});
