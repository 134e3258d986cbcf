import { randomBytes } from "node:crypto";
import { invalidField, Problem } from "@kit/problem";
import { startFaultProxy } from "@kit/testing/fault-proxy";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { noEvaluation, openPartitionStreams } from "../../../testing/harness/partition-streams.ts";
import { signIn } from "../../../testing/harness/sample-world.ts";
import { createIntake } from "../../../testing/harness/shippers-intake.ts";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { startLogStore } from "../../../testing/servers/log-engine.ts";
import { type NatsServers, startNatsServers } from "../../../testing/servers/nats-servers.ts";
import { type NatsOptions, natsSource, streamOn } from "../../../testing/servers/nats-streams.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { type StreamEvent, UNREADABLE } from "../../foundation/events/event-stream.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { deadLettersRoutes } from "./dead-letters.routes.ts";
import { intakeRoutes } from "./intake.routes.ts";
import { STREAM_LIMITS } from "./pipeline/stream-chunk.ts";

const isFull = process.env.PROVE === "full";
const SOON = { timeout: 20_000 };
let servers: NatsServers;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let streamCount = 0;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  servers = await startNatsServers(1);
  logs = await startLogStore();
  platform = await testPlatform("real");
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await platform.close();
  await logs.stop();
  await servers.stop();
});

type Gate = (batch: readonly LogEvent[]) => Promise<void>;

interface World {
  gate?: Gate;
  nats?: Partial<NatsOptions>;
  /** The maximum size of one event in the stream. */
  maxCharacters?: number;
}

const PARTITIONS = 2;
/** A server reserves the maximum size of its streams. */
const MAX_BYTES = 16 * 1024 ** 2;

/** The intake with separate streams. The owner of its partitions is not started. */
async function world({ gate = async () => undefined, nats = {}, maxCharacters = 1e7 }: World = {}) {
  streamCount += 1;
  const name = `intake-${streamCount}`;
  await sql`DELETE FROM log_partitions`.execute(platform.db);
  const logStore: Pick<LogStore, "insert" | "count"> = {
    async insert(batch, options) {
      await gate(batch);
      await logs.store.insert(batch, options);
    },
    count: (...asked) => logs.store.count(...asked),
  };
  const open = () => {
    const streams = openPartitionStreams(platform, PARTITIONS, {
      url: servers.url,
      maxBytes: MAX_BYTES,
      ...nats,
      name,
    });
    const sources = streams.sources.map((source) => ({
      ...source,
      async publish(events: readonly StreamEvent[]) {
        if (events.some((event) => JSON.stringify(event).length > maxCharacters)) {
          throw invalidField("events", `one is larger than the ${maxCharacters} bytes that the stream accepts`);
        }
        await source.publish(events);
      },
    }));
    return { ...streams, sources };
  };
  const start = async () => {
    const streams = open();
    const made = createIntake({ db: platform.db, logStore, streams, name });
    const [owner, counting] =
      made.partitions?.createWork({ worker: name, evaluation: noEvaluation, isAllowed: async () => true }) ?? [];
    const app = await featureApp(platform, intakeRoutes(made.intake, made.bodies), deadLettersRoutes(made.deadLetters));
    const close = async () => {
      await made.intake.close();
      await owner?.close();
      await counting?.close();
      await streams.close();
      await app.close();
    };
    closers.push(close);
    const ingest = (source: string, payload: string, headers: Record<string, string> = {}) =>
      app.inject({ method: "POST", url: `/api/v1/siem/ingest?source=${source}`, payload, headers });
    return { ...made, owner, app, streams, ingest, close };
  };
  return { name, start };
}

async function listStored(source: string): Promise<LogEvent[]> {
  return logs.store.search({
    scope: ALL_SITES,
    where: { sql: "source = {source:String}", parameters: { source } },
    time: "ingested_at",
    from: new Date(0),
    to: new Date("2100-01-01T00:00:00Z"),
    order: "oldest",
    limit: 1000,
  });
}
const listMessages = async (source: string) => (await listStored(source)).map(({ message }) => message).sort();

async function listDeadLetters(source: string) {
  const { rows } = await sql<{ id: string; reason: string; raw: Buffer }>`
    SELECT id, reason, raw FROM dead_letters WHERE source = ${source} ORDER BY raw`.execute(platform.db);
  return rows.map(({ id, reason, raw }) => ({ id, reason, raw: raw.toString() }));
}

it("acknowledges events before they are stored, and stores them later with the writer's ingest time", async () => {
  const { start } = await world();
  const { ingest, owner, sources, writers, clock } = await start();
  const taken = await ingest("later", `{"message":"one"}\nbroken\n{"message":"two"}`);
  expect(taken.statusCode).toBe(202);
  const [letter] = await listDeadLetters("later");
  expect(taken.json()).toEqual({ accepted: 2, rejected: 1, dead_letter_ids: [letter?.id] });
  expect(await listStored("later")).toEqual([]);
  await clock.sleep(20);
  const watermark = clock.now();
  await owner?.start();
  await expect.poll(() => listMessages("later"), SOON).toEqual(["one", "two"]);
  for (const { ingested_at } of await listStored("later")) {
    // A window that was reported to the detections as complete remains complete, however long a log was in the stream.
    expect(new Date(ingested_at).getTime()).toBeGreaterThanOrEqual(watermark.getTime());
  }
  expect((await writers.lowest(90))?.getTime()).toBeGreaterThanOrEqual(watermark.getTime());
  await sources.flush();
  const { rows } = await sql`SELECT received, stored, rejected FROM log_sources WHERE source = 'later'`.execute(
    platform.db,
  );
  expect(rows).toEqual([{ received: "3", stored: "2", rejected: "1" }]);
});

it("stores a repeated batch or event once, by the batch name or the event id", async () => {
  const { start } = await world();
  const { ingest, owner } = await start();
  const batch = () => ingest("repeated", `{"message":"a"}\n{"message":"b"}`, { "x-batch-id": "b1" });
  const named = () => ingest("repeated", `{"id":"e1","message":"c"}`);
  const answers = [await batch(), await named()];
  // Repeated while the first is in the stream, together with it, and after it was stored.
  answers.push(...(await Promise.all([batch(), batch(), named()])));
  await owner?.start();
  await expect.poll(() => listMessages("repeated"), SOON).toEqual(["a", "b", "c"]);
  answers.push(await batch(), await named());
  await ingest("repeated", `{"message":"last"}`);
  await expect.poll(() => listMessages("repeated"), SOON).toContain("last");
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 202));
  expect(await listMessages("repeated")).toEqual(["a", "b", "c", "last"]);
});

it("refuses a batch name that is used for another batch, or turns its events into dead letters if that is detected later", async () => {
  const { start } = await world();
  const { ingest, owner } = await start();
  const send = (message: string) => ingest("twins", JSON.stringify({ message }), { "x-batch-id": "twin" });
  expect((await send("first")).statusCode).toBe(202);
  expect((await send("second")).statusCode).toBe(202);
  await owner?.start();
  const why = "X-Batch-Id: 'twin' was used for another batch within the last day";
  await expect.poll(async () => (await listDeadLetters("twins")).map(({ reason }) => reason), SOON).toEqual([why]);
  await expect.poll(() => listMessages("twins"), SOON).toEqual(["first"]);
  await expect.poll(async () => (await send("third")).statusCode, SOON).toBe(409);
  expect((await send("third")).json().detail).toBe(why);
});

it("continues after a writer that ended between the insert and its settlement", async () => {
  let isDying = true;
  const { start } = await world({
    async gate(batch) {
      if (!isDying) return;
      isDying = false;
      await logs.store.insert(batch, { token: `dying ${batch.length}` });
      throw new Error("ended");
    },
  });
  const { ingest, owner } = await start();
  // A named event among others: the others must not be stored again because the named one is known.
  await ingest("ended", `{"id":"n1","message":"named"}\n{"message":"plain"}`);
  await owner?.start();
  await ingest("ended", `{"message":"last"}`);
  await expect.poll(() => listMessages("ended"), SOON).toContain("last");
  expect(await listMessages("ended")).toEqual(["last", "named", "plain"]);
});

it("retries until the log store is back, and creates no dead letters", async () => {
  let isUnreachable = true;
  const { start } = await world({
    async gate() {
      if (isUnreachable) throw new Problem("unavailable", "the log store does not answer");
    },
  });
  const { ingest, owner, clock } = await start();
  await ingest("unreachable", `{"message":"patient"}`);
  await owner?.start();
  await clock.sleep(1000);
  expect((await ingest("unreachable", `{"message":"second"}`)).statusCode).toBe(202);
  isUnreachable = false;
  await expect.poll(() => listMessages("unreachable"), SOON).toEqual(["patient", "second"]);
  expect(await listDeadLetters("unreachable")).toEqual([]);
});

it.runIf(isFull)(
  "turns only the chunk on which our own code keeps failing into dead letters",
  { timeout: 120_000 },
  async () => {
    const { start } = await world({
      async gate(batch) {
        if (batch.some(({ message }) => message === "poison")) throw new TypeError("a bug of ours");
      },
    });
    const { ingest, owner } = await start();
    const bodies = [`{"message":"good"}`, `{"message":"poison"}`, `{"message":"fine"}`];
    for (const [n, body] of bodies.entries()) await ingest("poisoned", body, { "x-batch-id": `p${n}` });
    await owner?.start();
    await expect.poll(() => listDeadLetters("poisoned"), { timeout: 90_000 }).toHaveLength(1);
    await ingest("poisoned", `{"message":"next"}`);
    await expect.poll(() => listMessages("poisoned"), SOON).toEqual(["fine", "good", "next"]);
    expect(await listDeadLetters("poisoned")).toMatchObject([
      { reason: "event: cannot be stored", raw: `{"message":"poison"}` },
    ]);
  },
);

it("turns a stream event that is not a chunk into a dead letter and continues", async () => {
  const { start } = await world();
  const { ingest, streams, owner } = await start();
  const at = "2026-11-15T10:00:00.000Z";
  await streams.sources[0]?.publish([
    { id: "1", at, type: "foreign", subject_id: "1", data: { x: 1 } },
    { id: "2", at, type: UNREADABLE, subject_id: "2", data: { text: "no JSON" } },
  ]);
  await ingest("stranger", `{"message":"after"}`);
  await owner?.start();
  await expect.poll(() => listMessages("stranger"), SOON).toEqual(["after"]);
  const letters = await listDeadLetters("unknown");
  const foreign = JSON.stringify({ id: "1", at, type: "foreign", subject_id: "1", data: { x: 1 } });
  expect(letters.map(({ raw }) => raw)).toEqual(expect.arrayContaining([foreign, "no JSON"]));
});

it("turns an event that is too large for the stream into a dead letter and accepts the others", async () => {
  const { start } = await world({ maxCharacters: 20_000 });
  const { ingest, owner } = await start();
  const large = JSON.stringify({ message: "x".repeat(STREAM_LIMITS.characters) });
  const taken = await ingest("large", `{"message":"before"}\n${large}\n{"message":"after"}`);
  await owner?.start();
  await expect.poll(() => listMessages("large"), SOON).toEqual(["after", "before"]);
  const [letter, ...others] = await listDeadLetters("large");
  expect(others).toEqual([]);
  expect(letter).toMatchObject({ reason: "event: is larger than the 20000 bytes that the stream accepts", raw: large });
  expect([taken.statusCode, taken.json()]).toEqual([202, { accepted: 2, rejected: 1, dead_letter_ids: [letter?.id] }]);
});

it("answers 503 with Retry-After if the stream is full, and accepts events once the writer has stored some", async () => {
  const { start } = await world({ nats: { maxBytes: 200_000 } });
  const { ingest, owner } = await start();
  // Messages are compressed, so the content must be random.
  const body = JSON.stringify({ message: randomBytes(15_000).toString("base64") });
  let accepted = 0;
  let refused = await ingest("full", body);
  for (; refused.statusCode === 202 && accepted < 100; accepted += 1) refused = await ingest("full", body);
  expect([refused.statusCode, refused.json().detail]).toEqual([503, "the stream is full"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  await owner?.start();
  await expect.poll(async () => (await ingest("full", body)).statusCode, SOON).toBe(202);
  await expect.poll(async () => (await listStored("full")).length, SOON).toBe(accepted + 1);
});

it.runIf(isFull)(
  "answers 503 within half a minute while the stream is unreachable, and never 202",
  { timeout: 60_000 },
  async () => {
    const proxy = await startFaultProxy(servers.nodes[0]?.port ?? 0);
    closers.push(() => proxy.close());
    const { start } = await world({ nats: { url: `nats://127.0.0.1:${proxy.port}` } });
    const { ingest, owner, clock } = await start();
    expect((await ingest("gone", `{"message":"before"}`)).statusCode).toBe(202);
    proxy.stall();
    const startMs = clock.monotonicMs();
    const refused = await ingest("gone", `{"id":"g1","message":"during"}`);
    expect([refused.statusCode, refused.json().detail]).toEqual([503, "the stream does not answer"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(clock.monotonicMs() - startMs).toBeLessThan(30_000);
    proxy.heal();
    await expect.poll(async () => (await ingest("gone", `{"id":"g1","message":"during"}`)).statusCode, SOON).toBe(202);
    await owner?.start();
    await expect.poll(() => listMessages("gone"), SOON).toEqual(["before", "during"]);
  },
);

it("runs the whole platform on NATS if SOC_STREAM names it", { timeout: 60_000 }, async () => {
  const own = await testPlatform("real");
  closers.push(() => own.close());
  const stream = { address: servers.url, logBytes: 64 * 1024 ** 2 };
  const soc = await wholePlatform("real", own.url, undefined, logs.store, { stream });
  closers.push(() => soc.close());
  const headers = await signIn(soc.app);
  const taken = await soc.app.inject({
    method: "POST",
    url: "/api/v1/siem/ingest?source=whole",
    headers,
    payload: `{"message":"through the stream"}`,
  });
  expect(taken.statusCode).toBe(202);
  // A worker stores the logs that the service has received.
  const streams = openPartitionStreams(own, 12, { url: servers.url, maxBytes: 16 * 1024 ** 2 });
  const worker = createIntake({ db: own.db, logStore: logs.store, streams });
  const [owner] =
    worker.partitions?.createWork({ worker: "w", evaluation: noEvaluation, isAllowed: async () => true }) ?? [];
  await owner?.start();
  closers.push(async () => {
    await owner?.close();
    await streams.close();
  });
  const found = async () => {
    const { statusCode, body } = await soc.app.inject({ url: "/api/v1/siem/logs?source=whole", headers });
    return [statusCode, body.includes("through the stream")];
  };
  await expect.poll(found, SOON).toEqual([200, true]);
  // Events of the database are also in the stream that other machines read.
  const events = streamOn(natsSource({ url: servers.url, name: "soc-events", maxBytes: 256 * 1024 ** 2 }), platform);
  closers.push(() => events.close());
  const types: string[] = [];
  events.consume({
    name: "test",
    from: "first",
    most: 100,
    handle: async (delivery) => void types.push(...delivery.events.map(({ type }) => type)),
  });
  await soc.app.inject({ method: "POST", url: "/api/v1/sites", headers, payload: { name: "Riyadh" } });
  await expect.poll(() => types.length, SOON).toBeGreaterThan(0);
});
