import { EventEmitter, once } from "node:events";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../../testing/harness/feature-app.ts";
import { createIntake, type IntakeOptions } from "../../../../testing/harness/shippers-intake.ts";
import { startLogStore } from "../../../../testing/servers/log-engine.ts";
import { ALL_SITES } from "../../../foundation/caller/caller.ts";
import { readJsonEvents } from "../formats/json-events.ts";
import { createClaimsStore } from "./claims.store.ts";
import { createWriterSession } from "./writer-session.ts";
import { createWritersStore, type WritersStore } from "./writers.store.ts";

const LEASE_SECONDS = 90;
const origin = { format: "json", sender: "key:edge" } as const;
const clock = createClock();
let logs: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let writers: WritersStore;

beforeAll(async () => {
  logs = await startLogStore();
  platform = await testPlatform("real");
  await platform.runtime.truth();
  writers = createWritersStore(platform.db);
});
afterAll(async () => {
  await platform.close();
  await logs.stop();
});
beforeEach(async () => {
  await sql`DELETE FROM log_writers`.execute(platform.db);
});

const lowest = () => writers.lowest(LEASE_SECONDS);

async function countStored(source: string): Promise<number> {
  const where = { sql: "source = {source:String}", parameters: { source } };
  return logs.store.count(
    { scope: ALL_SITES, where, time: "ingested_at", from: new Date(0), to: new Date("2100-01-01T00:00:00Z") },
    10_000,
  );
}

it("returns the lowest watermark of the live writers, which never decreases", async () => {
  const [early, late] = [new Date("2026-11-15T10:00:00Z"), new Date("2026-11-15T10:00:05Z")];
  await writers.publish("a", late);
  await writers.publish("b", early);
  expect(await lowest()).toEqual(early);
  await writers.publish("a", early);
  await writers.retire("b");
  expect(await lowest()).toEqual(late);
  await sql`UPDATE log_writers SET seen_at = now() - interval '91 seconds' WHERE writer = 'a'`.execute(platform.db);
  expect(await lowest()).toBeUndefined();
});

it("assigns no log an ingest time below the watermark of an ended process or of the slowest live one", async () => {
  const stamped: string[] = [];
  const logStore: IntakeOptions["logStore"] = {
    insert: async ([first]) => void stamped.push(first?.ingested_at ?? ""),
    count: async () => 0,
  };
  const ahead = new Date(clock.now().getTime() + 60_000);
  await writers.publish("ended", ahead);
  await writers.retire("ended");
  const { intake, worker } = createIntake({ db: platform.db, logStore, limits: { groupMs: 1 } });
  worker.start();
  await intake.accept(readJsonEvents("{}"), origin);
  expect(stamped[0] && stamped[0] >= ahead.toISOString()).toBe(true);
  await intake.close();
  expect(((await lowest()) ?? new Date(0)).toISOString() >= ahead.toISOString()).toBe(true);
  await worker.close();
  expect(await lowest()).toBeUndefined();
});

it("keeps a window open for the insert of another process on the same machine, and stores a named batch once", {
  timeout: 60_000,
}, async () => {
  const door = new EventEmitter();
  let stampOfA = "";
  const slow: IntakeOptions["logStore"] = {
    async insert(batch, options) {
      stampOfA = batch[0]?.ingested_at ?? "";
      await once(door, "open");
      await logs.store.insert(batch, options);
    },
    count: (...asked) => logs.store.count(...asked),
  };
  const a = createIntake({ db: platform.db, logStore: slow, name: "one-machine", limits: { groupMs: 1 } });
  const b = createIntake({ db: platform.db, logStore: logs.store, name: "one-machine", limits: { groupMs: 1 } });
  a.worker.start();
  b.worker.start();
  const batch = readJsonEvents('{"message":"once","source":"s-two"}');
  const byA = a.intake.accept(batch, { ...origin, batchId: "batch-1" });
  await expect.poll(() => stampOfA, { timeout: 10_000 }).not.toBe("");
  // The sender repeats the batch to the other process while the first insert is in progress.
  const byB = b.intake.accept(batch, { ...origin, batchId: "batch-1" }).catch((error: unknown) => error);
  await b.intake.accept(readJsonEvents('{"message":"other","source":"s-b"}'), origin);
  await clock.sleep(1500);
  expect(((await lowest()) ?? clock.now()).toISOString() <= stampOfA).toBe(true);
  door.emit("open");
  expect(await byA).toMatchObject({ accepted: 1 });
  await byB;
  expect((await b.intake.accept(batch, { ...origin, batchId: "batch-1" })).accepted).toBe(1);
  expect(await countStored("s-two")).toBe(1);
  await expect.poll(async () => ((await lowest()) ?? new Date(0)).toISOString() > stampOfA).toBe(true);
  for (const { intake, worker } of [a, b]) {
    await intake.close();
    await worker.close();
  }
});

it("takes over the inserts of a process whose session is gone, but not those of a live one", async () => {
  const claims = createClaimsStore(platform.db);
  const [dead, alive] = ["dead process", "live process"];
  const session = createWriterSession({ db: platform.db, name: alive, clock, log: silentLog });
  session.start();
  await expect.poll(() => session.isHeld(), { timeout: 10_000 }).toBe(true);
  const early = new Date("2026-11-15T10:00:00Z");
  for (const writer of [dead, alive]) {
    await writers.publish(writer, early, true);
    await claims.claim(platform.db, { writer, ingested_at: early, probe: "" }, [], []);
  }
  const listTakenOver = async () =>
    (await claims.listPending("new process", 0)).map(({ writer }) => writer).filter((name) => name.endsWith("process"));
  // Both reported a moment ago.
  expect(await listTakenOver()).toEqual([]);
  await sql`UPDATE log_writers SET seen_at = now() - interval '6 seconds'`.execute(platform.db);
  const { rows } = await sql<{ is_young: boolean }>`
    SELECT pg_postmaster_start_time() > now() - interval '15 seconds' AS is_young`.execute(platform.db);
  if (rows[0]?.is_young) await clock.sleep(15_000);
  expect(await listTakenOver()).toEqual([dead]);
  expect(await lowest()).toEqual(early);
  await session.close();
  expect(await listTakenOver()).toEqual([dead, alive]);
  expect(await lowest()).toBeUndefined();
});
