import { silentLog } from "@kit/log/silent";
import { startFaultProxy } from "@kit/testing/fault-proxy";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { type NatsServers, startNatsServers } from "../../../testing/servers/nats-servers.ts";
import {
  collector,
  killHolders,
  natsSource,
  outboxStream,
  sampleEvents,
  streamOn,
} from "../../../testing/servers/nats-streams.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import { createAuditStore } from "../audit/audit.store.ts";
import type { Mode } from "../runtime/runtime.schema.ts";
import { createRuntimeService } from "../runtime/runtime.service.ts";
import type { EventStream } from "./event-stream.ts";
import { moveOutbox } from "./outbox-stream.worker.ts";

// Open transactions in any database of the server delay events, and other tests run transactions.
const isFull = process.env.PROVE === "full";
const SOON = { timeout: 20_000 };
const buildSubjects = (count: number, name = "e") => Array.from({ length: count }, (_, index) => `${name}${index}`);

let servers: NatsServers;
let streamCount = 0;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  servers = await startNatsServers(1);
});
afterAll(() => servers.stop());
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface World {
  platform: TestPlatform;
  /** The stream as another process of the platform opens it. */
  open: () => EventStream;
  /** The stream with a proxy in front of its server. */
  openThroughProxy: () => Promise<{ stream: EventStream; proxy: Awaited<ReturnType<typeof startFaultProxy>> }>;
  /** Starts the parts that this stream needs to receive committed changes of the database. */
  carryChanges: () => void;
}

async function freshPlatform(mode: Mode = "real"): Promise<TestPlatform> {
  const platform = await testPlatform(mode);
  closers.push(() => platform.close());
  return platform;
}

function remember(stream: EventStream): EventStream {
  closers.push(() => stream.close());
  return stream;
}

async function proxyTo(port: number) {
  const proxy = await startFaultProxy(port);
  closers.push(() => proxy.close());
  return proxy;
}

async function outboxWorld(mode?: Mode): Promise<World> {
  const platform = await freshPlatform(mode);
  return {
    platform,
    open: () => remember(outboxStream(platform)),
    async openThroughProxy() {
      const url = new URL(platform.url ?? "");
      const proxy = await proxyTo(Number(url.port));
      url.port = String(proxy.port);
      const { clock } = platform;
      const onFirstAnswer = async () => undefined;
      const migrationsFolder = `${import.meta.dirname}/../../migrations`;
      const database = createDatabase({ url: url.href, migrationsFolder, clock, log: silentLog, onFirstAnswer });
      closers.push(() => database.close());
      const runtime = createRuntimeService({ mode: "real", database });
      return { stream: remember(outboxStream({ db: database.db, runtime })), proxy };
    },
    carryChanges: () => undefined,
  };
}

async function natsWorld(mode?: Mode): Promise<World> {
  const platform = await freshPlatform(mode);
  streamCount += 1;
  const name = `contract-${streamCount}`;
  const openAt = (url: string) => remember(streamOn(natsSource({ url, name }), platform));
  return {
    platform,
    open: () => openAt(servers.url),
    async openThroughProxy() {
      const proxy = await proxyTo(servers.nodes[0]?.port ?? 0);
      return { stream: openAt(`nats://127.0.0.1:${proxy.port}`), proxy };
    },
    carryChanges() {
      const outbox = remember(outboxStream(platform));
      moveOutbox({ outbox, target: openAt(servers.url), clock: platform.clock });
    },
  };
}

describe.each([
  { kind: "the outbox", world: outboxWorld },
  { kind: "JetStream", world: natsWorld },
])("event stream on $kind", ({ world }) => {
  it("delivers all events to every consumer in the same order", async () => {
    const stream = (await world()).open();
    const [one, two] = [collector(), collector()];
    stream.consume({ name: "one", from: "first", most: 1000, handle: one.handle });
    await stream.publish(sampleEvents(250, "a"));
    await Promise.all([stream.publish(sampleEvents(130, "b")), stream.publish(sampleEvents(130, "c"))]);
    stream.consume({ name: "two", from: "first", most: 100, handle: two.handle });
    await expect.poll(() => one.subjects().length, SOON).toBe(510);
    await expect.poll(() => two.subjects().length, SOON).toBe(510);
    expect(one.subjects().slice(0, 250)).toEqual(buildSubjects(250, "a"));
    expect(one.subjects().filter((subject) => subject.startsWith("b"))).toEqual(buildSubjects(130, "b"));
    expect(two.subjects()).toEqual(one.subjects());
  });

  it("delivers an event as it was published", async () => {
    const stream = (await world()).open();
    const [event] = sampleEvents(1);
    if (!event) throw new Error("no sample");
    const hostile = { ...event, subject_id: "'; -- \u2028 ي 🕌", data: { nested: [1, { "a.b": null }], text: "\n\\" } };
    const seen = collector();
    stream.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
    await stream.publish([hostile]);
    await expect.poll(() => seen.deliveries.flatMap(({ events }) => events), SOON).toMatchObject([hostile]);
  });

  it("stores an event once if it is published again after a lost acknowledgement", async () => {
    const stream = (await world()).open();
    const [first, second] = [sampleEvents(230, "a"), sampleEvents(10, "b")];
    await stream.publish(first);
    await stream.publish(second);
    await Promise.all([stream.publish(first), stream.publish(second)]);
    const seen = collector();
    stream.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
    await stream.publish(sampleEvents(1, "last"));
    await expect.poll(() => seen.subjects().at(-1), SOON).toBe("last0");
    expect(seen.subjects()).toEqual([...buildSubjects(230, "a"), ...buildSubjects(10, "b"), "last0"]);
  });

  it("begins with the next event if the consumer wants no history", async () => {
    const { open, platform } = await world();
    const stream = open();
    await stream.publish(sampleEvents(5, "old"));
    const [all, news] = [collector(), collector()];
    stream.consume({ name: "all", from: "first", most: 100, handle: all.handle });
    await expect.poll(() => all.subjects().length, SOON).toBe(5);
    stream.consume({ name: "news", from: "next", most: 100, handle: news.handle });
    const hasBegun = async () => {
      const { rows } = await platform.db.executeQuery<{ n: string }>({
        ...platform.db.selectNoFrom((eb) => eb.lit(1).as("n")).compile(),
        sql: "SELECT count(*) AS n FROM stream_cursors",
      });
      return rows[0]?.n;
    };
    await expect.poll(hasBegun, SOON).toBe("2");
    await stream.publish(sampleEvents(2, "new"));
    await expect.poll(() => news.subjects(), SOON).toEqual(["new0", "new1"]);
  });

  it("continues at the consumer's cursor after a restart, without duplicates", async () => {
    const { open } = await world();
    const before = open();
    const seen = collector();
    before.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
    await before.publish(sampleEvents(300, "a"));
    await expect.poll(() => seen.subjects().length, SOON).toBe(300);
    await before.close();
    const after = open();
    await after.publish(sampleEvents(50, "b"));
    after.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
    await expect.poll(() => seen.subjects().length, SOON).toBe(350);
    expect(seen.subjects()).toEqual([...buildSubjects(300, "a"), ...buildSubjects(50, "b")]);
    expect(new Set(seen.deliveries.map(({ attempt }) => attempt))).toEqual(new Set([1]));
  });

  it("redelivers the same batch after a crash, even if more events exist, and fences the crashed consumer", async () => {
    const { open, platform } = await world();
    const dying = open();
    const unfinished = collector();
    let isHeld = true;
    let isNextHeld = true;
    dying.consume({
      name: "c",
      from: "first",
      most: 1000,
      handle: async (delivery) => {
        await unfinished.handle(delivery);
        while (isHeld) await platform.clock.sleep(20);
      },
    });
    await dying.publish(sampleEvents(7, "a"));
    await expect.poll(() => unfinished.subjects(), SOON).toEqual(buildSubjects(7, "a"));
    await dying.publish(sampleEvents(20, "b"));
    const seen = collector();
    const next = open();
    next.consume({
      name: "c",
      from: "first",
      most: 1000,
      handle: async (delivery) => {
        await seen.handle(delivery);
        while (isNextHeld) await platform.clock.sleep(20);
      },
    });
    await platform.clock.sleep(1200);
    expect(seen.deliveries).toEqual([]);
    await killHolders(platform);
    await expect.poll(() => seen.deliveries.length, SOON).toBe(1);
    expect(seen.deliveries[0]).toEqual({ ...unfinished.deliveries[0], attempt: 2 });
    isHeld = false;
    await platform.clock.sleep(300);
    await killHolders(platform);
    isNextHeld = false;
    // Neither consumer could acknowledge, so the batch is delivered a third time before the remaining events.
    await expect.poll(() => seen.subjects().length + unfinished.subjects().length, SOON).toBe(7 + 7 + 7 + 20);
    const all = [...unfinished.deliveries, ...seen.deliveries];
    expect(
      all
        .filter(({ id }) => id === all[0]?.id)
        .map(({ attempt }) => attempt)
        .toSorted((one, other) => one - other),
    ).toEqual([1, 2, 3]);
  });

  it("redelivers a rejected batch before the next batch", async () => {
    const stream = (await world()).open();
    const seen = collector();
    stream.consume({
      name: "c",
      from: "first",
      most: 100,
      handle: async (delivery) => {
        await seen.handle(delivery);
        if (seen.deliveries.length < 3) throw new Error("not now");
      },
    });
    await stream.publish(sampleEvents(3, "a"));
    await expect.poll(() => seen.deliveries.length, SOON).toBeGreaterThan(0);
    await stream.publish(sampleEvents(1, "b"));
    await expect.poll(() => seen.deliveries.length, SOON).toBe(4);
    expect(seen.deliveries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1]);
    expect(seen.subjects()).toEqual([...Array.from({ length: 3 }, () => buildSubjects(3, "a")).flat(), "b0"]);
    expect(new Set(seen.deliveries.slice(0, 3).map(({ id }) => id)).size).toBe(1);
    expect(seen.deliveries[3]?.id).not.toBe(seen.deliveries[0]?.id);
  });

  it("leaves no gap if changes commit in reverse order", async () => {
    const { open, carryChanges, platform } = await world();
    const { db, ids, clock, url } = platform;
    const stream = open();
    const [seen, late] = [collector(), collector()];
    carryChanges();
    stream.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
    const store = createAuditStore(ids);
    const pool = new pg.Pool({ connectionString: url, max: 15 });
    for (let round = 0; round < 4; round += 1) {
      const clients = await Promise.all(Array.from({ length: 15 }, () => pool.connect()));
      for (const [index, client] of clients.entries()) {
        await client.query("BEGIN");
        await client.query("INSERT INTO outbox (type, subject_id, data) VALUES ('alert.created', $1, '{}')", [
          `${round}-${index}`,
        ]);
      }
      for (const client of clients.reverse()) {
        await client.query("COMMIT");
        client.release();
        await clock.sleep(25);
      }
    }
    await pool.end();
    const change = { actor: "noor", action: "alert.created", subject_type: "alert", subject_id: "last", details: {} };
    await db.transaction().execute((tx) => store.record(tx, change));
    await expect.poll(() => seen.subjects().at(-1), SOON).toBe("last");
    const expected = [0, 1, 2, 3].flatMap((round) => Array.from({ length: 15 }, (_, index) => `${round}-${index}`));
    expect(seen.subjects().toSorted()).toEqual([...expected, "last"].toSorted());
    stream.consume({ name: "late", from: "first", most: 100, handle: late.handle });
    await expect.poll(() => late.subjects(), SOON).toEqual(seen.subjects());
  });

  it("delivers one batch at a time to a slow consumer, and no larger than its maximum", async () => {
    const { open, platform } = await world();
    const stream = open();
    const seen = collector();
    let handling = 0;
    let maxHandling = 0;
    let isHeld = true;
    stream.consume({
      name: "slow",
      from: "first",
      most: 200,
      handle: async (delivery) => {
        handling += 1;
        maxHandling = Math.max(maxHandling, handling);
        await seen.handle(delivery);
        while (isHeld) await platform.clock.sleep(20);
        handling -= 1;
      },
    });
    for (let batch = 0; batch < 5; batch += 1) await stream.publish(sampleEvents(1000, `${batch}-`));
    await platform.clock.sleep(1500);
    expect(seen.deliveries).toHaveLength(1);
    isHeld = false;
    await expect.poll(() => seen.subjects().length, SOON).toBe(5000);
    expect(maxHandling).toBe(1);
    expect(Math.max(...seen.deliveries.map(({ events }) => events.length))).toBe(200);
    expect(seen.subjects()).toEqual([0, 1, 2, 3, 4].flatMap((batch) => buildSubjects(1000, `${batch}-`)));
  });

  it.runIf(isFull)(
    "fails in time if its server does not accept events, refuses excess load immediately, and recovers",
    {
      timeout: 60_000,
    },
    async () => {
      const { platform, openThroughProxy } = await world();
      const { stream, proxy } = await openThroughProxy();
      await stream.publish(sampleEvents(1, "before"));
      proxy.stall();
      const startMs = platform.clock.monotonicMs();
      const batches = buildSubjects(64, "b").map((name) => sampleEvents(2, name));
      const waiting = Promise.allSettled(batches.map((batch) => stream.publish(batch)));
      await expect(stream.publish(sampleEvents(1))).rejects.toThrow("the stream is busy");
      expect(platform.clock.monotonicMs() - startMs).toBeLessThan(1000);
      const outcomes = await waiting;
      expect(platform.clock.monotonicMs() - startMs).toBeLessThan(25_000);
      expect(outcomes.map(({ status }) => status)).toEqual(batches.map(() => "rejected"));
      expect(outcomes.map((outcome) => "reason" in outcome && outcome.reason.kind)).toEqual(
        batches.map(() => "unavailable"),
      );
      proxy.heal();
      const publishAll = async () => {
        for (const batch of batches) await stream.publish(batch);
        return "published";
      };
      await expect.poll(() => publishAll().catch(() => "refused"), SOON).toBe("published");
      const seen = collector();
      stream.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
      await stream.publish(sampleEvents(1, "after"));
      await expect.poll(() => seen.subjects().at(-1), SOON).toBe("after0");
      expect(seen.subjects().toSorted()).toEqual(
        ["before0", "after0", ...buildSubjects(64, "b").flatMap((name) => buildSubjects(2, name))].toSorted(),
      );
    },
  );

  it("delivers events to one of two processes, and to the other after the first closes", async () => {
    const { open } = await world();
    const [one, two] = [open(), open()];
    const [first, second] = [collector(), collector()];
    const consumption = one.consume({ name: "c", from: "first", most: 100, handle: first.handle });
    await one.publish(sampleEvents(3, "a"));
    await expect.poll(() => first.subjects().length, SOON).toBe(3);
    two.consume({ name: "c", from: "first", most: 100, handle: second.handle });
    await two.publish(sampleEvents(3, "b"));
    await expect.poll(() => first.subjects().length, SOON).toBe(6);
    await consumption.close();
    await one.publish(sampleEvents(3, "c"));
    await expect.poll(() => second.subjects(), SOON).toEqual(buildSubjects(3, "c"));
    expect(first.subjects()).toHaveLength(6);
  });

  it("closes in time while a batch is being handled, and accepts nothing afterwards", async () => {
    const { open, platform } = await world();
    const { clock } = platform;
    const stream = open();
    const seen = collector();
    stream.consume({
      name: "c",
      from: "first",
      most: 100,
      handle: async (delivery) => {
        await clock.sleep(700);
        await seen.handle(delivery);
      },
    });
    stream.consume({ name: "idle", from: "next", most: 100, handle: async () => undefined });
    await stream.publish(sampleEvents(2));
    await clock.sleep(600);
    const startMs = clock.monotonicMs();
    await stream.close();
    expect(clock.monotonicMs() - startMs).toBeLessThan(5000);
    await expect(stream.publish(sampleEvents(1))).rejects.toThrow("the stream is closed");
    expect(() => stream.consume({ name: "d", from: "first", most: 100, handle: seen.handle })).toThrow("is closed");
    await stream.close();
    const handled = seen.subjects().length;
    const again = collector();
    open().consume({ name: "c", from: "first", most: 100, handle: again.handle });
    await expect.poll(() => handled + again.subjects().length, SOON).toBe(2);
  });

  it("refuses more events than one publish may contain, and names the field", async () => {
    const stream = (await world()).open();
    await expect(stream.publish(sampleEvents(10_001))).rejects.toThrow("events: must be at most 10000 at once");
  });

  it("delivers nothing in dummy mode", async () => {
    const { open, platform } = await world("dummy");
    const stream = open();
    await stream.publish(sampleEvents(1));
    const seen = collector();
    stream.consume({ name: "c", from: "first", most: 100, handle: seen.handle });
    await platform.clock.sleep(1500);
    expect(seen.deliveries).toEqual([]);
  });
});
