import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { expect, it, onTestFinished } from "vitest";
import { createEngineFactory, sampleLog } from "../../../testing/servers/log-engine.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { openBoxLogStore, toAddressFile, toRecentFolder } from "../log-store.ts";
import { createBoxLogEngine, readEngineSocket } from "./box-log-engine.ts";

const clock = createClock();
const STARTED_MS = 30_000;

/** The log engine and the log store of one service process. */
async function openService(dataFolder: string) {
  const options = { retentionDays: 20_000, recent: { folder: toRecentFolder(dataFolder), log: silentLog } };
  const box = createBoxLogEngine({
    addressFile: toAddressFile(dataFolder),
    createEngine: await createEngineFactory(join(dataFolder, "logs")),
    async prepare(socketPath) {
      const store = openBoxLogStore({ ...options, socketPath: () => socketPath });
      await store.migrate();
      await store.close();
    },
    clock,
    log: silentLog,
  });
  const store = openBoxLogStore({ ...options, socketPath: () => box.socketPath() });
  box.start();
  const close = async () => {
    await store.close();
    await box.close();
  };
  onTestFinished(close);
  return { store, close };
}

type Store = Awaited<ReturnType<typeof openService>>["store"];

async function insert(store: Store, id: string): Promise<boolean> {
  return store.insert([sampleLog({ id })], { token: id }).then(
    () => true,
    () => false,
  );
}

async function listIds(store: Store): Promise<string[]> {
  const where = { sql: "true", parameters: {} };
  const [from, to] = [new Date("2026-11-15T00:00:00Z"), new Date("2026-11-16T00:00:00Z")];
  const found = await store.search({
    scope: ALL_SITES,
    where,
    time: "timestamp",
    order: "oldest",
    from,
    to,
    limit: 100,
  });
  return found.map(({ id }) => id);
}

it("refuses logs with Retry-After until the engine responds, and then stores them", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "soc-box-"));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const { store } = await openService(dataFolder);
  const refused = store.insert([sampleLog({ id: "early" })], { token: "early" });
  const problem = { kind: "unavailable", message: "the log store does not answer", retryAfterSeconds: 1 };
  await expect(refused).rejects.toMatchObject(problem);
  await expect.poll(() => insert(store, "early"), { timeout: STARTED_MS }).toBe(true);
  expect(await listIds(store)).toEqual(["early"]);
});

it("stores logs again within seconds after the process that owned the shared engine has ended", {
  timeout: 120_000,
}, async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "soc-box-"));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const first = await openService(dataFolder);
  await expect.poll(() => insert(first.store, "first"), { timeout: STARTED_MS }).toBe(true);
  const firstSocket = readEngineSocket(toAddressFile(dataFolder));
  const second = await openService(dataFolder);
  await expect.poll(() => insert(second.store, "second"), { timeout: STARTED_MS }).toBe(true);
  expect(readEngineSocket(toAddressFile(dataFolder))).toBe(firstSocket);

  await first.close();
  const startMs = clock.monotonicMs();
  await expect.poll(() => insert(second.store, "third"), { timeout: STARTED_MS, interval: 50 }).toBe(true);
  console.log(`stored again after ${Math.round(clock.monotonicMs() - startMs)} ms`);
  expect(await listIds(second.store)).toEqual(["first", "second", "third"]);
  expect(readEngineSocket(toAddressFile(dataFolder))).not.toBe(firstSocket);
});
