import { existsSync, mkdtempSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createLog } from "@kit/log";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUCKET_SECRET, type BucketServer, startBucketServer } from "../../../testing/servers/bucket-server.ts";
import { builtEntry, sampleLog } from "../../../testing/servers/log-engine.ts";
import { type StartedLogStores, startLogStores } from "../../../testing/servers/log-stores.ts";
import { toSettings } from "../../../testing/servers/tiered-logs.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { LogSelection, LogStore } from "../../ports/log-store.ts";
import type { MemberStore } from "../clickhouse/member.ts";
import type { OldDay } from "./old-day.ts";
import { keepOldDays, openTieredStore, toLastRound, toOldDaysList } from "./old-days.ts";

const clock = createClock();
const ids = createIds(clock);
const DAY_MS = 24 * 3_600_000;
const WAIT_MS = 60_000;
const lines: string[] = [];

let one: StartedLogStores;
let bucket: BucketServer;
const folders: string[] = [];

beforeAll(async () => {
  [one, bucket] = await Promise.all([startLogStores(1), startBucketServer()]);
  const { store } = one;
  for (const age of [4, 3, 0]) await store.insert(buildLogs(age, "first"), { token: `first-${age}` });
}, 120_000);
afterAll(async () => {
  await one.stop();
  await bucket.remove();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "old-days-"));
  folders.push(folder);
  return folder;
}

function buildLogs(age: number, name: string) {
  const at = new Date(Date.now() - age * DAY_MS).toISOString();
  return [1, 2, 3].map((place) => sampleLog({ id: `${name}-${age}-${place}`, timestamp: at, ingested_at: at }));
}

/** Starts a keeper as in a process that has just started. */
function keep(dataFolder: string) {
  const engine = one.engines[0]?.engine();
  return start(dataFolder, engine?.socketPath() ?? "");
}

async function start(dataFolder: string, socketPath: string) {
  const keeper = keepOldDays(
    {
      ...{ dataFolder, settings: toSettings(bucket), boxDays: 1, retentionDays: 30, graceMs: 0 },
      ...{ program: process.execPath, entry: await builtEntry(), ids, clock },
      log: createLog({ clock, level: "info", stream: { write: (line: string) => void lines.push(line) } }),
    },
    socketPath,
  );
  await keeper.start();
  return keeper;
}

async function untilTrue(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = Date.now() + WAIT_MS;
  while (!(await isTrue())) {
    if (Date.now() > endMs) throw new Error("it did not become true");
    await clock.sleep(100);
  }
}

/** Runs a keeper until its first round has moved everything that was due. */
async function keepForARound(dataFolder: string): Promise<void> {
  await rm(toLastRound(dataFolder), { force: true });
  const keeper = await keep(dataFolder);
  await untilTrue(() => existsSync(toLastRound(dataFolder)));
  await keeper.close();
}

function openStore(dataFolder: string): LogStore {
  const box = one.store as MemberStore;
  return openTieredStore(
    { ...box, close: async () => undefined },
    {
      ...{ dataFolder, retentionDays: 30, settings: toSettings(bucket), clock },
    },
  );
}

/** Selects the logs of the last days. */
const lastDays = (days: number): LogSelection => ({
  from: new Date(Date.now() - days * DAY_MS),
  to: new Date(Date.now() + DAY_MS),
  scope: ALL_SITES,
  time: "timestamp",
  where: { sql: "1", parameters: {} },
});

async function readStates(dataFolder: string): Promise<string[]> {
  const { days } = JSON.parse(await readFile(toOldDaysList(dataFolder), "utf8")) as { days: OldDay[] };
  return days.map(({ on_box }) => on_box);
}

describe("old days of logs in a bucket", { timeout: 180_000 }, () => {
  const home = createFolder();

  it("moves old days in a first round, and deletes them from the machine in a later one", async () => {
    const store = openStore(home);
    await keepForARound(home);
    expect(await readStates(home)).toEqual(["whole", "whole"]);
    await keepForARound(home);
    expect(await readStates(home)).toEqual(["gone", "gone"]);
    expect(await one.store.count(lastDays(10), 100)).toBe(3);
    const keeper = await keep(home);
    await untilTrue(async () => (await store.count({ ...lastDays(10), missing: new Set() }, 100)) === 9);
    await keeper.close();
    await store.close();
  });

  it("omits old days from responses while the bucket does not respond, but not new logs", async () => {
    const store = openStore(home);
    const keeper = await keep(home);
    await untilTrue(async () => (await store.state()).missing.length === 0);
    await untilTrue(async () => (await store.count({ ...lastDays(10), missing: new Set() }, 100)) === 9);
    await bucket.down();
    const startMs = Date.now();
    expect(await store.count(lastDays(1), 100)).toBe(3);
    expect(Date.now() - startMs).toBeLessThan(1000);
    const missing = new Set<string>();
    expect(await store.search({ ...lastDays(10), order: "newest", limit: 100, missing })).toHaveLength(3);
    expect([...missing]).toEqual(["bucket of old logs"]);
    await expect(store.search({ ...lastDays(10), order: "newest", limit: 100 })).rejects.toMatchObject({
      code: "log_store_unreachable",
      message: expect.stringContaining("bucket of old logs"),
    });
    expect(Date.now() - startMs).toBeLessThan(15_000);
    await untilTrue(async () => (await store.state()).missing.includes("bucket of old logs"));
    expect((await store.stats(new Date())).total_events).toBe(9);
    await bucket.up();
    await untilTrue(async () => (await store.count({ ...lastDays(10), missing: new Set() }, 100)) === 9);
    await keeper.close();
    await store.close();
  });

  it("starts and stops the machine while the bucket does not respond", async () => {
    await bucket.down();
    const store = openStore(home);
    const keeper = await keep(home);
    await clock.sleep(3000);
    expect(await store.count(lastDays(1), 100)).toBe(3);
    const startMs = Date.now();
    await keeper.close();
    expect(Date.now() - startMs).toBeLessThan(5000);
    await store.close();
    await bucket.up();
  });

  it("binds old days to one data folder, until another one names its owner", async () => {
    const other = createFolder();
    const refused = await keep(other);
    await untilTrue(() => lines.some((line) => line.includes("belongs to another data folder")));
    expect(existsSync(toOldDaysList(other))).toBe(false);
    await refused.close();

    // Restored from a backup that predates the move of one day and postdates that of another, including late logs of
    // the latter.
    await one.store.insert(buildLogs(3, "first"), { token: "restored" });
    await one.store.insert(buildLogs(4, "late"), { token: "late" });
    const owner = join("old-days", "owner");
    await mkdir(join(other, "old-days"), { mode: 0o700 });
    await writeFile(join(other, owner), await readFile(join(home, owner), "utf8"));
    await keepForARound(other);
    expect(await readStates(other)).toEqual(["gone", "gone"]);
    const store = openStore(other);
    const keeper = await keep(other);
    await untilTrue(async () => (await store.count({ ...lastDays(10), missing: new Set() }, 100)) === 12);
    await keeper.close();
    await store.close();
  });

  it("leaves no secret in the data folder and the log", async () => {
    expect(lines.filter((line) => line.includes(BUCKET_SECRET))).toEqual([]);
    const names = await readdir(join(home, "old-days"), { recursive: true, withFileTypes: true });
    for (const found of names.filter((each) => each.isFile())) {
      expect(await readFile(join(found.parentPath, found.name), "utf8")).not.toContain(BUCKET_SECRET);
    }
  });
});
