import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { noEvaluation } from "../../../testing/harness/partition-streams.ts";
import { createIntake } from "../../../testing/harness/shippers-intake.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import { type NatsServers, startNatsServers } from "../../../testing/servers/nats-servers.ts";
import { natsSource } from "../../../testing/servers/nats-streams.ts";
import { createNatsSource } from "../../adapters/nats/nats.ts";
import { createNatsServers, deleteUpTo, listStreams } from "../../adapters/nats/nats-servers.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { createStreams } from "../../foundation/events/streams.feature.ts";

const SOON = { timeout: 30_000 };
const clock = createClock();
const ids = createIds(clock);
const log = silentLog;
let nats: NatsServers;
let platform: TestPlatform;
let logs: Awaited<ReturnType<typeof startLogStore>>;

beforeAll(async () => {
  nats = await startNatsServers(1);
  platform = await testPlatform("real");
  await platform.runtime.truth();
  logs = await startLogStore();
});
afterAll(async () => {
  await platform.close();
  await logs.stop();
  await nats.stop();
});

function start(partitions: number) {
  const { url } = nats;
  const servers = createNatsServers({ url, log });
  const streams = createStreams(platform, {
    servers: {
      openSource: (options) => createNatsSource({ ...options, url, servers, clock, ids, log }),
      listStreams: (subjects) => listStreams(servers, subjects),
      deleteUpTo: (name, place) => deleteUpTo(servers, name, place),
      close: () => servers.close(),
    },
    logBytes: 64 * 1024 ** 2,
    partitions,
  });
  if (!streams) throw new Error("no streams");
  const made = createIntake({ db: platform.db, logStore: logs.store, streams: streams.logs });
  const work =
    made.partitions?.createWork({ worker: `w${partitions}`, evaluation: noEvaluation, isAllowed: async () => true }) ??
    [];
  return {
    ...made,
    startWork: async () => {
      for (const each of work) await each.start();
    },
    async close() {
      await made.intake.close();
      for (const each of work) await each.close();
      await streams.close();
    },
  };
}

async function listMessages(source: string): Promise<string[]> {
  const where = { sql: "source = {source:String}", parameters: { source } };
  const all = { time: "ingested_at" as const, from: new Date(0), to: new Date("2100-01-01T00:00:00Z") };
  const found = await logs.store.search({ ...all, scope: ALL_SITES, where, order: "oldest", limit: 1000 });
  return found.map(({ message }) => message).toSorted();
}

it("refuses to start with fewer partitions while the others hold messages, and starts when they are stored", {
  timeout: 90_000,
}, async () => {
  const many = start(8);
  const senders = Array.from({ length: 40 }, (_, n) => `sender ${n}`);
  for (const sender of senders) {
    const found = [{ fields: { message: sender }, raw: "{}" }];
    await many.intake.accept(found, { format: "json", sender, source: "many" });
  }
  const few = start(2);
  await expect(few.partitions?.check.start()).rejects.toThrow(
    /^SOC_LOG_PARTITIONS: is 2, but the stream of partition \d/,
  );
  await many.startWork();
  await expect.poll(() => listMessages("many"), SOON).toHaveLength(40);
  await many.close();
  // Handled messages stay in their stream for a while and are no reason to refuse.
  await few.partitions?.check.start();
  await few.startWork();
  await few.close();
  // Its worker has removed the extra partitions and the remains of their streams.
  const again = start(2);
  await again.partitions?.check.start();
  await again.close();
  expect(await listMessages("many")).toEqual(senders.toSorted());
});

it("moves the single stream of an older release into the partitions, once", {
  timeout: 60_000,
}, async () => {
  const former = natsSource({ url: nats.url, name: "soc-logs", isDeletedWhenHandled: true });
  const at = clock.now().toISOString();
  const events = Array.from({ length: 5 }, (_, n) => {
    const key = ids.next();
    const row = sampleLog({ id: ids.next(), timestamp: at, ingested_at: at, source: "former", message: `old ${n}` });
    const entry = { index: 0, source: "former", isNamed: false, log: row };
    const origin = { format: "json", sender: "key:old" };
    const data = { batch: { key, digest: "" }, characters: 2, origin, entries: [entry] };
    return { id: key, at, type: "logs", subject_id: key, data };
  });
  await former.publish(events);
  const release = start(2);
  await release.startWork();
  await expect.poll(() => listMessages("former"), SOON).toEqual([0, 1, 2, 3, 4].map((n) => `old ${n}`));
  // The sender of a chunk repeats itself, so the key is known.
  await former.publish(events.slice(0, 2).map((event) => ({ ...event, id: ids.next() })));
  await former.publish([{ ...events[0], id: ids.next(), at, type: "foreign", subject_id: "x", data: {} }]);
  // The last message is not a chunk; it comes after the two repeated ones.
  const letters = sql`SELECT FROM dead_letters WHERE reason LIKE 'stream:%'`;
  await expect.poll(async () => (await letters.execute(platform.db)).rows.length, SOON).toBe(1);
  expect(await listMessages("former")).toHaveLength(5);
  await release.close();
  await former.close();
});
