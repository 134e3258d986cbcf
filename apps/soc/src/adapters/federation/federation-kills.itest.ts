import process from "node:process";
import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { siemApp } from "../../../testing/harness/siem-app.ts";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { type StartedLogStores, startLogStores } from "../../../testing/servers/log-stores.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogSelection } from "../../ports/log-store.ts";

const isFull = process.env.PROVE === "full";
const KILLS = isFull ? 20 : 2;
const MINUTES = 60_000;
const STORES = 3;
const PARTITIONS = 12;
const BATCH = 50;
const SECOND = { name: "log store 2 of 3", place: 1 };
const WINDOW = "from=2026-11-15T08:00:00Z&to=2026-11-15T10:00:00Z";
const clock = createClock();

const everything: LogSelection = {
  scope: ALL_SITES,
  where: { sql: "true", parameters: {} },
  time: "timestamp",
  from: new Date("2026-11-15T00:00:00Z"),
  to: new Date("2026-11-16T00:00:00Z"),
};
const READ = { from: new Date("2026-11-15T00:00:00Z"), to: new Date("2026-11-16T00:00:00Z") };

function makeBatch(name: string, partition: number): LogEvent[] {
  return Array.from({ length: BATCH }, (_, n) =>
    sampleLog({
      id: `${name}-${partition}-${n}`,
      source: `p${partition}`,
      timestamp: new Date(Date.UTC(2026, 10, 15, 8) + (n * PARTITIONS + partition) * 1000).toISOString(),
      message: `${name} of partition ${partition}`,
    }),
  );
}

async function collect(blocks: AsyncIterable<readonly LogEvent[]>): Promise<LogEvent[]> {
  const logs: LogEvent[] = [];
  for await (const block of blocks) logs.push(...block);
  return logs;
}

describe("while one of three log stores is down", { timeout: 5 * MINUTES }, () => {
  let platform: TestPlatform;
  let started: StartedLogStores;
  let app: Awaited<ReturnType<typeof siemApp>>;
  const UNAVAILABLE = { kind: "unavailable", message: `the ${SECOND.name} does not answer` };

  const get = async (path: string) => {
    const answered = await app.inject({ url: `/api/v1/siem/${path}` });
    if (answered.statusCode !== 200) throw new Error(answered.body);
    return answered.json();
  };
  const insert = (name: string, partition: number) =>
    started.store.insert(makeBatch(name, partition), { token: `${name} ${partition}`, partition });

  beforeAll(async () => {
    platform = await testPlatform("real");
    started = await startLogStores(STORES);
    app = await siemApp(platform, { logStore: started.store });
    for (let partition = 0; partition < PARTITIONS; partition += 1) await insert("before", partition);
    await started.engines[SECOND.place]?.down();
  }, 3 * MINUTES);
  afterAll(async () => {
    await started.stop();
    await platform.close();
  });

  const PARTIAL = { is_partial: true, missing_stores: [SECOND.name] };
  const kept = (PARTITIONS / STORES) * (STORES - 1) * BATCH;

  it("a search names it and returns the logs of the others", async () => {
    const page = await get(`logs?${WINDOW}&limit=200`);
    expect(page).toMatchObject({ ...PARTIAL, total: kept, total_is_estimate: true });
    expect(page.items).toHaveLength(200);
    expect(page.items.some(({ source }: LogEvent) => source === "p1")).toBe(false);
    const [log] = page.items;
    expect(await get(`logs/${log.id}/around`)).toMatchObject({ ...PARTIAL, log: { id: log.id } });
  });

  it.each([
    [`logs/histogram?${WINDOW}`, { total: kept, is_estimate: true, covered_from: null }],
    [`logs/facets?${WINDOW}&fields=source`, { total: kept, is_estimate: true, covered_from: null }],
    [`fields?${WINDOW}`, { is_estimate: true }],
    [`fields/source/values?${WINDOW}`, { is_estimate: true }],
    ["stats", { total_events: kept }],
    ["sources", { total: (PARTITIONS / STORES) * (STORES - 1) }],
  ])("%s names it", async (path, expected) => {
    expect(await get(path)).toMatchObject({ ...PARTIAL, ...expected });
  });

  it("an aggregate names it", async () => {
    const payload = { group_by: ["source"], from: "2026-11-15T08:00:00Z", to: "2026-11-15T10:00:00Z" };
    const answered = await app.inject({ method: "POST", url: "/api/v1/siem/aggregate", payload });
    expect(answered.json()).toMatchObject({ ...PARTIAL, is_estimate: true, has_more: false });
  });

  it("a log in another store is found, and a log of this store is not reported as missing", async () => {
    expect((await get("logs/before-0-0")).id).toBe("before-0-0");
    for (const id of ["before-1-0", "absent"]) {
      expect((await app.inject({ url: `/api/v1/siem/logs/${id}` })).statusCode).toBe(503);
    }
    const payload = { ids: ["before-0-0", "before-1-0"] };
    expect((await app.inject({ method: "POST", url: "/api/v1/siem/logs/get", payload })).statusCode).toBe(503);
  });

  it("an export is refused, because a file cannot state what it lacks", async () => {
    expect((await app.inject({ url: `/api/v1/siem/logs/export?${WINDOW}` })).statusCode).toBe(503);
  });

  it("rules and the stream of new logs read nothing", async () => {
    const [rules, stream] = [started.store.lane("rules"), started.store.lane("stream")];
    await expect(rules.search({ ...everything, order: "newest", limit: 10 })).rejects.toMatchObject(UNAVAILABLE);
    await expect(rules.count(everything, 1_000_000)).rejects.toMatchObject(UNAVAILABLE);
    await expect(collect(rules.stream({ ...everything, order: "newest", limit: 10 }))).rejects.toMatchObject(
      UNAVAILABLE,
    );
    await expect(collect(stream.read(READ))).rejects.toMatchObject(UNAVAILABLE);
    expect(await started.store.isAvailable()).toBe(false);
    expect(await started.store.state()).toEqual({ stores: STORES, missing: [SECOND.name] });
  });

  it("a count that reaches its maximum without it is complete", async () => {
    expect(await started.store.lane("stream").count(everything, kept)).toBe(kept);
  });

  it("batches of other partitions are stored, and its own once it is back, each exactly once", async () => {
    const refused: number[] = [];
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      await insert("during", partition).catch((error: unknown) => {
        expect(error).toMatchObject(UNAVAILABLE);
        refused.push(partition);
      });
    }
    expect(refused).toEqual([1, 4, 7, 10]);
    await started.engines[SECOND.place]?.up();
    // A sender does not know which of its batches were stored.
    for (let turn = 0; turn < 2; turn += 1) {
      for (let partition = 0; partition < PARTITIONS; partition += 1) await insert("during", partition);
    }
    const total = 2 * PARTITIONS * BATCH;
    const read = await collect(started.store.lane("stream").read(READ));
    expect(read).toHaveLength(total);
    expect(new Set(read.map(({ id }) => id)).size).toBe(total);
    const page = await get(`logs?${WINDOW}`);
    expect(page.total).toBe(total);
    expect(page.is_partial).toBeUndefined();
    expect((await get("logs/before-1-0")).id).toBe("before-1-0");
  });

  it("a response waits some seconds for a frozen store, and then names it", async () => {
    const pid = started.engines[SECOND.place]?.engine().pid() ?? 0;
    sendSignal(pid, "SIGSTOP");
    const missing = new Set<string>();
    const begunMs = clock.monotonicMs();
    const found = await started.store.search({ ...everything, order: "newest", limit: 10, missing });
    expect(clock.monotonicMs() - begunMs).toBeLessThan(20_000);
    expect([found.length, ...missing]).toEqual([10, SECOND.name]);
  });
});

it(`loses and duplicates nothing over kills during inserts (${KILLS})`, { timeout: 15 * MINUTES }, async () => {
  const { store, engines, stop } = await startLogStores(STORES);
  const sent = new Set<string>();
  let isOver = false;

  async function insertUntilStored(name: string, partition: number): Promise<void> {
    const batch = makeBatch(name, partition);
    for (;;) {
      try {
        await store.insert(batch, { token: `${name} ${partition}`, partition });
        for (const { id } of batch) sent.add(id);
        return;
      } catch {
        await clock.sleep(50);
      }
    }
  }

  const writers = Array.from({ length: PARTITIONS }, async (_, partition) => {
    for (let turn = 0; !isOver; turn += 1) await insertUntilStored(`turn${turn}`, partition);
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    await clock.sleep(300 + ((kill * 137) % 500));
    sendSignal(engines[kill % STORES]?.engine().pid() ?? 0, "SIGKILL");
    const before = sent.size;
    await expect.poll(() => sent.size > before, { timeout: 60_000, interval: 20 }).toBe(true);
  }
  isOver = true;
  await Promise.all(writers);
  const read = await collect(store.read(READ));
  expect(read.map(({ id }) => id).toSorted()).toEqual([...sent].toSorted());
  await stop();
});
