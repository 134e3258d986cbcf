import { createClock } from "@kit/clock";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { type NatsServers, startNatsServers } from "../../../testing/servers/nats-servers.ts";
import {
  collector,
  type NatsOptions,
  natsSource,
  sampleEvents,
  streamOn,
} from "../../../testing/servers/nats-streams.ts";
import { type EventStream, UNREADABLE } from "../../foundation/events/event-stream.ts";

const SOON = { timeout: 20_000 };
const clock = createClock();
let servers: NatsServers;
let platform: TestPlatform;
const streams: EventStream[] = [];

beforeAll(async () => {
  servers = await startNatsServers(1);
  platform = await testPlatform("real");
});
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.close()));
});
afterAll(async () => {
  await platform.close();
  await servers.stop();
});

function open(options: Partial<NatsOptions>): EventStream {
  const stream = streamOn(natsSource({ url: servers.url, ...options }), platform);
  streams.push(stream);
  return stream;
}

async function manage<Answer>(task: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<Answer>) {
  const connection = await connect({ servers: servers.url.replace("nats://", "") });
  const answer = await task(await jetstreamManager(connection));
  await connection.close();
  return answer;
}

it("stores a hundred events in one message, on disk", async () => {
  await open({ name: "pieces" }).publish(sampleEvents(250));
  const { state, config } = await manage(({ streams: api }) => api.info("pieces"));
  expect(state.messages).toBe(3);
  expect(config).toMatchObject({ storage: "file", num_replicas: 1, deny_delete: true });
});

it("refuses events while it is full and accepts them after the consumer has handled some", async () => {
  const stream = open({ name: "full", isDeletedWhenHandled: true, keepHandledMs: 0, maxBytes: 100_000 });
  const batches = Array.from({ length: 60 }, (_, index) => sampleEvents(50, `${index}-`));
  let stored = 0;
  const publishRest = async () => {
    for (const batch of batches.slice(stored)) {
      await stream.publish(batch);
      stored += 1;
    }
  };
  await expect(publishRest()).rejects.toMatchObject({ kind: "unavailable", message: "the stream is full" });
  expect(stored).toBeGreaterThan(3);
  expect(stored).toBeLessThan(30);
  const seen = collector();
  stream.consume({ name: "writer", from: "first", most: 100, handle: seen.handle });
  await expect
    .poll(
      () =>
        publishRest().then(
          () => stored,
          () => stored,
        ),
      SOON,
    )
    .toBe(60);
  await expect.poll(() => seen.subjects().length, SOON).toBe(3000);
  expect(seen.deliveries.some(({ hasGap }) => hasGap)).toBe(false);
  const left = () => manage(async ({ streams: api }) => (await api.info("full")).state.messages);
  await expect.poll(left, SOON).toBe(1);
});

it("refuses an event that exceeds the maximum message size", async () => {
  const [event] = sampleEvents(1);
  if (!event) throw new Error("no sample");
  const large = { ...event, data: { text: "x".repeat(9_000_000) } };
  await expect(open({ name: "large" }).publish([large])).rejects.toMatchObject({
    kind: "invalid",
    message: "events: one is larger than the 8388608 bytes that the stream accepts",
  });
});

it(
  "waits for a restarting server, and does not store a handled event again if its publisher repeats it",
  SOON,
  async () => {
    const own = await startNatsServers(1);
    const [node] = own.nodes;
    const stream = streamOn(natsSource({ url: own.url, name: "again", isDeletedWhenHandled: true }), platform);
    try {
      const seen = collector();
      const [first, second] = [sampleEvents(1, "a"), sampleEvents(1, "b")];
      stream.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
      await stream.publish(first);
      await expect.poll(() => seen.subjects(), SOON).toEqual(["a0"]);
      // The reader deletes handled messages once a second.
      await clock.sleep(2500);
      await node?.kill();
      await clock.sleep(500);
      const publishing = stream.publish(second);
      await node?.start();
      await publishing;
      await stream.publish(first);
      await stream.publish(sampleEvents(1, "c"));
      await expect.poll(() => seen.subjects().at(-1), SOON).toBe("c0");
      expect(seen.subjects()).toEqual(["a0", "b0", "c0"]);
    } finally {
      await stream.close();
      await own.stop();
    }
  },
);

it("reads a stream that was replaced by an older copy from its beginning, after its leader has lacked messages for a minute", async () => {
  let shiftMs = 0;
  const shifted = { monotonicMs: () => clock.monotonicMs() + shiftMs, sleep: (ms: number) => clock.sleep(ms) };
  const source = natsSource({ url: servers.url, name: "older", clock: shifted });
  await source.publish(sampleEvents(1, "a"));
  await source.publish(sampleEvents(1, "b"));
  const handled = await source.last();
  await manage(async ({ streams: api }) => {
    const { config } = await api.info("older");
    await api.delete("older");
    await api.add(config);
  });
  await source.publish(sampleEvents(1, "c"));
  const reader = await source.readAfter(handled, new AbortController().signal);
  const read = () => reader.read({ most: 100, upTo: undefined });
  expect(await read()).toBeUndefined();
  shiftMs = 61_000;
  await expect.poll(read, SOON).toMatchObject({ hasGap: true, events: [{ subject_id: "c0" }] });
  await reader.close();
  await source.close();
});

it("reports a gap if events were deleted before the consumer read them, and continues after it", async () => {
  const stream = open({ name: "gaps" });
  const seen = collector();
  const consumption = stream.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await stream.publish(sampleEvents(1, "a"));
  await expect.poll(() => seen.subjects(), SOON).toEqual(["a0"]);
  await consumption.close();
  for (const name of ["b", "c", "d"]) await stream.publish(sampleEvents(1, name));
  await manage(({ streams: api }) => api.purge("gaps", { keep: 1 }));
  stream.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await expect.poll(() => seen.subjects(), SOON).toEqual(["a0", "d0"]);
  expect(seen.deliveries.map(({ hasGap }) => hasGap)).toEqual([false, true]);
});

it("delivers messages that other clients wrote to the stream as unreadable events, in order", async () => {
  const stream = open({ name: "strangers" });
  await stream.publish(sampleEvents(1, "a"));
  const connection = await connect({ servers: servers.url.replace("nats://", "") });
  const { config } = await (await jetstreamManager(connection)).streams.info("strangers");
  for (const text of ["no JSON", "{}", '[{"id":7}]']) {
    await jetstream(connection).publish(config.subjects[0] ?? "", text);
  }
  await connection.close();
  await stream.publish(sampleEvents(1, "b"));
  const seen = collector();
  stream.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await expect.poll(() => seen.subjects(), SOON).toHaveLength(5);
  const events = seen.deliveries.flatMap((delivery) => delivery.events);
  expect(events.map(({ type, subject_id, data }) => (type === UNREADABLE ? data : subject_id))).toEqual([
    "a0",
    { text: "no JSON" },
    { text: "{}" },
    { text: '[{"id":7}]' },
    "b0",
  ]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(5);
});

it.each(["is open", "was closed"])(
  "reports a gap if its stream is deleted while it %s, and reads the new stream",
  async (when) => {
    const name = `reborn-${when.length}`;
    const before = open({ name });
    const seen = collector();
    before.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
    for (const letter of ["a", "b", "c"]) await before.publish(sampleEvents(1, letter));
    await expect.poll(() => seen.subjects(), SOON).toEqual(["a0", "b0", "c0"]);
    if (when === "was closed") await before.close();
    await manage(({ streams: api }) => api.delete(name));
    const after = when === "was closed" ? open({ name }) : before;
    await after.publish(sampleEvents(1, "new"));
    if (when === "was closed") after.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
    await expect.poll(() => seen.subjects().at(-1), SOON).toBe("new0");
    expect(seen.deliveries.at(-1)?.hasGap).toBe(true);
  },
);

it("changes the settings of an existing stream and keeps its events", async () => {
  const before = open({ name: "settings", maxBytes: 1_000_000 });
  await before.publish(sampleEvents(1, "kept"));
  const after = open({ name: "settings", maxBytes: 2_000_000 });
  const seen = collector();
  after.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await expect.poll(() => seen.subjects(), SOON).toEqual(["kept0"]);
  const { config } = await manage(({ streams: api }) => api.info("settings"));
  expect(config.max_bytes).toBe(2_000_000);
});

it("continues after the server was killed and restarted", { timeout: 60_000 }, async () => {
  const stream = open({ name: "restart" });
  const seen = collector();
  stream.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
  await stream.publish(sampleEvents(30, "a"));
  await expect.poll(() => seen.subjects().length, SOON).toBe(30);
  await servers.nodes[0]?.kill();
  const waiting = stream.publish(sampleEvents(30, "b"));
  await platform.clock.sleep(1500);
  await servers.nodes[0]?.start();
  await waiting;
  await expect.poll(() => seen.subjects().length, SOON).toBe(60);
});
