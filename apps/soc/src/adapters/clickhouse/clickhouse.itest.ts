import { readFileSync } from "node:fs";
import { createClock } from "@kit/clock";
import { collectGarbage } from "@kit/testing/garbage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogSelection, LogStore } from "../../ports/log-store.ts";
import type { LogEngine } from "../log-engine/log-engine.ts";
import { createClickhouseLogStore, type LogStoreLimits } from "./clickhouse.ts";

const clock = createClock();
let engine: LogEngine;
let store: LogStore;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ engine, store, stop } = await startLogStore());
});
afterAll(() => stop());

function day(sql: string, parameters: Record<string, unknown> = {}): LogSelection {
  const [from, to] = [new Date("2026-11-15T00:00:00Z"), new Date("2026-11-16T00:00:00Z")];
  return { scope: ALL_SITES, where: { sql, parameters }, time: "timestamp", from, to };
}

const limited = (limits: Partial<LogStoreLimits>) =>
  createClickhouseLogStore({ url: engine.url, agent: engine.agent, retentionDays: 90, limits });
const ofSource = (source: string) => day("source = {source:String}", { source });
const toIds = (logs: readonly LogEvent[]) => logs.map(({ id }) => id);

describe("a limited log store", () => {
  beforeAll(async () => {
    const logs = Array.from({ length: 2000 }, (_, n) => sampleLog({ id: `limited-${n}`, source: "limited" }));
    await store.insert(logs, { token: "limited" });
  });

  it.each([
    [
      { searchSeconds: 1 },
      "sleepEachRow(0.02) = 0",
      "unavailable",
      "the search took too long; choose a shorter time range",
    ],
    [{ rowsToRead: 10 }, "true", "invalid", "query: reads too many logs; choose a shorter time range"],
    [{ memoryBytes: 1000 }, "true", "unavailable", "the log store has too little memory for this search"],
  ])("enforces %j and names the reason", async (limits, sql, kind, message) => {
    const searching = limited(limits).search({ ...day(sql), order: "newest", limit: 1000 });
    await expect(searching).rejects.toMatchObject({ name: "Problem", kind, message });
  });

  it("reports that the engine is unreachable", async () => {
    const unreachable = createClickhouseLogStore({ url: "http://127.0.0.1:9", retentionDays: 90 });
    expect(await unreachable.isAvailable()).toBe(false);
    const unavailable = { kind: "unavailable", message: "the log store does not answer" };
    await expect(unreachable.search({ ...day("true"), order: "newest", limit: 1 })).rejects.toMatchObject(unavailable);
    await expect(unreachable.insert([sampleLog({ id: "x" })], { token: "x" })).rejects.toMatchObject(unavailable);
    await unreachable.close();
  });
});

describe("the tables", () => {
  it("creates the tables once and adopts a changed retention", async () => {
    await store.insert([sampleLog({ id: "whole", source: "whole" })], { token: "whole" });
    await store.migrate();
    const longer = createClickhouseLogStore({ url: engine.url, agent: engine.agent, retentionDays: 30_000 });
    await longer.migrate();
    await longer.migrate();
    // A wrong expiry calculation in the engine would show within a second or two.
    await clock.sleep(3000);
    expect(await store.count(ofSource("whole"), 10)).toBe(1);
    expect(() => createClickhouseLogStore({ url: engine.url, retentionDays: 0 })).toThrow(/^retention: /);
  });

  it("drops logs that are older than the retention", async () => {
    const brief = await startLogStore({ retentionDays: 1 });
    await brief.store.insert([sampleLog({ id: "old", ingested_at: "2020-01-01T00:00:00.000Z" })], { token: "old" });
    const [from, to] = [new Date("2019-12-31T00:00:00Z"), new Date("2020-01-02T00:00:00Z")];
    const old = { ...day("true"), time: "ingested_at" as const, from, to };
    await expect.poll(() => brief.store.count(old, 10), { timeout: 20_000, interval: 500 }).toBe(0);
    await brief.stop();
  });
});

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** The memory of this process; strings of results are in the heap. */
function heldMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

describe("an export", () => {
  const everything = { ...ofSource("export"), order: "oldest" as const, limit: 1_000_000 };
  const isFull = process.env.PROVE === "full";
  const totalMb = isFull ? 200 : 80;
  const blocks = isFull ? 20 : 2;
  const total = blocks * 10_000;

  beforeAll(async () => {
    const raw = "r".repeat((totalMb * 1024 * 1024) / total);
    for (let block = 0; block < blocks; block += 1) {
      const logs = Array.from({ length: 10_000 }, (_, n) => {
        // A third of the logs share one instant, as from a device without a clock.
        const ms = n % 3 === 0 ? 0 : (block * 10_000 + n) * 7;
        const timestamp = new Date(Date.UTC(2026, 10, 15, 1) + ms).toISOString();
        return sampleLog({ id: `export-${block}-${n}`, source: "export", raw, timestamp });
      });
      await store.insert(logs, { token: `export-${block}` });
    }
  }, 300_000);

  it(`streams ${total} logs at the reader's speed with little memory in both processes`, {
    timeout: 300_000,
  }, async () => {
    const pid = engine.pid() ?? 0;
    const [oursMb, theirsMb] = [heldMb(), residentMb(pid)];
    let [rows, oursMostMb, theirsMostMb] = [0, 0, 0];
    // The engine refuses a query that needs more memory than this.
    const small = limited({ memoryBytes: 100 * 1024 * 1024 });
    for await (const block of small.stream(everything)) {
      if (rows === 0) await clock.sleep(1000);
      rows += block.length;
      if (rows % 10_000 < block.length) oursMostMb = Math.max(oursMostMb, heldMb() - oursMb);
      theirsMostMb = Math.max(theirsMostMb, residentMb(pid) - theirsMb);
    }
    expect(rows).toBe(total);
    expect(oursMostMb).toBeLessThan(totalMb / 2);
    // The memory of the query, plus what the allocator keeps.
    expect(theirsMostMb).toBeLessThan(125);
  });

  it.each(["newest", "oldest"] as const)(
    "returns each log once and in order, %s first, up to its limit",
    { timeout: 120_000 },
    async (order) => {
      const ids: string[] = [];
      const times: string[] = [];
      for await (const block of store.stream({ ...everything, order, limit: total / 2 + 1 })) {
        ids.push(...toIds(block));
        times.push(...block.map(({ timestamp }) => timestamp));
      }
      expect(new Set(ids).size).toBe(total / 2 + 1);
      expect(times).toEqual(order === "oldest" ? times.toSorted() : times.toSorted().toReversed());
      const [first] = await store.search({ ...everything, order, limit: 1 });
      expect(ids[0]).toBe(first?.id);
      const last = { ...everything, order, limit: 1, skip: total / 2 };
      expect(ids.at(-1)).toBe((await store.search(last))[0]?.id);
    },
  );
});
