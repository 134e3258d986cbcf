import process from "node:process";
import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import { expect, it } from "vitest";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";

const isFull = process.env.PROVE === "full";
const KILLS = isFull ? 20 : 1;
const WRITERS = 3;
const BATCH = 2000;
const MINUTES = 60_000;
const clock = createClock();

it(`loses and duplicates nothing over kills during inserts (${KILLS})`, { timeout: 15 * MINUTES }, async () => {
  const { engine, store, stop } = await startLogStore();
  const acknowledged = new Set<string>();
  const restartsMs: number[] = [];
  let retries = 0;
  let isOver = false;

  async function insertUntilAcknowledged(name: string): Promise<void> {
    const batch = Array.from({ length: BATCH }, (_, n) =>
      sampleLog({ id: `${name}-${n}`, source: name, message: `batch ${name} row ${n}`, attributes: { n, name } }),
    );
    for (;;) {
      try {
        await store.insert(batch, { token: name });
        acknowledged.add(name);
        return;
      } catch {
        retries += 1;
        await engine.ready();
      }
    }
  }

  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let turn = 0; !isOver; turn += 1) await insertUntilAcknowledged(`${writer}-${turn}`);
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Wait for an acknowledgement: on a busy machine a fixed pause could end before the first one.
    const before = acknowledged.size;
    await expect.poll(() => acknowledged.size >= before + WRITERS, { timeout: 60_000, interval: 5 }).toBe(true);
    // Kill at a different moment of an insert each time.
    await clock.sleep((kill * 137) % 500);
    const pid = engine.pid();
    const killedMs = clock.monotonicMs();
    sendSignal(pid, "SIGKILL");
    await expect.poll(() => engine.isReady() && engine.pid() !== pid, { timeout: 30_000, interval: 5 }).toBe(true);
    restartsMs.push(Math.round(clock.monotonicMs() - killedMs));
  }
  await clock.sleep(500);
  isOver = true;
  await Promise.all(writers);

  const day = {
    scope: ALL_SITES,
    time: "timestamp" as const,
    from: new Date("2026-11-15T00:00:00Z"),
    to: new Date("2026-11-16T00:00:00Z"),
  };
  const wrong: string[] = [];
  for (const { source, events } of await store.sources()) if (events !== BATCH) wrong.push(`${source}: ${events}`);
  const total = await store.count({ ...day, where: { sql: "true", parameters: {} } }, 1_000_000_000);
  const distinct = new Set<string>();
  for await (const block of store.stream({
    ...day,
    where: { sql: "true", parameters: {} },
    order: "oldest",
    limit: 10_000_000,
  })) {
    for (const { id } of block) distinct.add(id);
  }
  await stop();
  console.log({ kills: KILLS, batches: acknowledged.size, retries, total, restartsMs });
  expect(retries).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
  expect(total).toBe(acknowledged.size * BATCH);
  expect(distinct.size).toBe(total);
});
