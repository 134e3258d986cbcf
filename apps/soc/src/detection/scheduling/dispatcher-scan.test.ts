import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { parseQuery } from "@kit/query/query";
import { describe, expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogWindow } from "../../ports/log-store.ts";
import type { WorkerRule } from "./dispatcher.ts";
import { createScanService } from "./dispatcher-scan.service.ts";
import type { HitLimits } from "./scan-hits.ts";

const at = (time: string) => new Date(`2026-11-15T${time}Z`);
const logAt = (time: string, message: string): LogEvent =>
  sampleLog({ id: `${time} ${message}`, ingested_at: at(time).toISOString(), message });
const buildRule = (id: string, version = 1): WorkerRule => ({
  id,
  version,
  source: "",
  condition: parseQuery(`message:*${id}*`),
});
const RULES = ["one", "two", "three", "four", "five"];

const LOGS = [
  logAt("09:59:59.999", "one"),
  logAt("10:00:02.000", "one"),
  logAt("10:00:03.000", "two and one"),
  logAt("10:00:05.000", "two"),
  logAt("10:00:59.999", "three"),
  logAt("10:01:00.000", "one"),
];

function createScan(limits: Partial<HitLimits> = {}) {
  const state = { rules: RULES.map((id) => buildRule(id)), generation: "1", logs: LOGS, reads: [] as LogWindow[] };
  const scan = createScanService({
    logs: {
      async *read(window) {
        state.reads.push(window);
        const [from, to] = [window.from.toISOString(), window.to.toISOString()];
        yield state.logs.filter(({ ingested_at }) => ingested_at >= from && ingested_at < to);
      },
    },
    listRules: async () => state.rules,
    generation: async () => state.generation,
    clock: createClock(),
    log: silentLog,
    limits,
  });
  return { scan, state };
}

const MINUTE = { from: at("10:00:00.000"), to: at("10:01:00.000") };
const toIds = (logs: readonly LogEvent[] | undefined) => logs?.map(({ id }) => id);

describe("the shared scan", () => {
  it("finds the hits of each rule within the window, and nothing outside it", async () => {
    const { scan, state } = createScan();
    const hits = await scan.hitsIn(MINUTE, state.rules);
    expect(RULES.map((id) => toIds(hits.of(buildRule(id))))).toEqual([
      ["10:00:02.000 one", "10:00:03.000 two and one"],
      ["10:00:03.000 two and one", "10:00:05.000 two"],
      ["10:00:59.999 three"],
      [],
      [],
    ]);
  });

  it("begins in the middle of a segment if the window does", async () => {
    const { scan, state } = createScan();
    const hits = await scan.hitsIn({ ...MINUTE, from: at("10:00:02.500") }, state.rules);
    expect(toIds(hits.of(buildRule("one")))).toEqual(["10:00:03.000 two and one"]);
  });

  it("reads the logs once if many batches ask concurrently", async () => {
    const { scan, state } = createScan();
    await Promise.all(Array.from({ length: 20 }, () => scan.hitsIn(MINUTE, state.rules)));
    await scan.hitsIn(MINUTE, state.rules);
    expect(state.reads).toHaveLength(1);
  });

  it("prefetches complete segments and reads only the rest on demand", async () => {
    const { scan, state } = createScan();
    scan.follow(at("10:00:57.000"));
    await expect.poll(() => state.reads.length).toBe(1);
    expect(state.reads[0]).toMatchObject({ from: at("09:59:55.000"), to: at("10:00:55.000") });
    const hits = await scan.hitsIn(MINUTE, state.rules);
    expect(state.reads[1]).toMatchObject({ from: at("10:00:55.000"), to: at("10:01:00.000") });
    expect(toIds(hits.of(buildRule("three")))).toEqual(["10:00:59.999 three"]);
    expect(toIds(hits.of(buildRule("one")))).toHaveLength(2);
  });

  it("returns no result for a rule that has changed since the logs were read", async () => {
    const { scan, state } = createScan();
    await scan.hitsIn(MINUTE, state.rules);
    state.rules = [buildRule("one", 2), ...state.rules.slice(1)];
    state.generation = "2";
    const hits = await scan.hitsIn(MINUTE, state.rules);
    expect(hits.of(buildRule("one", 2))).toBeUndefined();
    expect(toIds(hits.of(buildRule("two")))).toHaveLength(2);
    expect(state.reads).toHaveLength(1);
  });

  it("reads again if many rules have changed", async () => {
    const { scan, state } = createScan();
    await scan.hitsIn(MINUTE, state.rules);
    state.rules = RULES.map((id) => buildRule(id, 2));
    state.generation = "2";
    const hits = await scan.hitsIn(MINUTE, state.rules);
    expect(toIds(hits.of(buildRule("two", 2)))).toHaveLength(2);
    expect(state.reads).toHaveLength(2);
  });

  it("leaves a rule with too many hits to the executor", async () => {
    const { scan, state } = createScan({ hitsPerRule: 1 });
    const hits = await scan.hitsIn(MINUTE, state.rules);
    expect(hits.of(buildRule("one"))).toBeUndefined();
    expect(toIds(hits.of(buildRule("three")))).toHaveLength(1);
  });

  it("leaves the rules with the most hits to the executor if all rules together have too many", async () => {
    // Each log counts about a thousand characters; the rules one, two and three have two, two and one of them.
    const { scan, state } = createScan({ charactersInAll: 4500 });
    const hits = await scan.hitsIn(MINUTE, state.rules);
    expect(hits.of(buildRule("one"))).toBeUndefined();
    expect(toIds(hits.of(buildRule("three")))).toEqual(["10:00:59.999 three"]);
    expect(hits.of(buildRule("four"))).toEqual([]);
  });

  it("keeps the hits of a rule again in segments that are read after it had too many", async () => {
    const { scan, state } = createScan({ hitsPerRule: 1 });
    await scan.hitsIn(MINUTE, state.rules);
    const next = { from: MINUTE.to, to: at("10:02:00.000") };
    const hits = await scan.hitsIn(next, state.rules);
    expect(toIds(hits.of(buildRule("one")))).toEqual(["10:01:00.000 one"]);
  });

  it("reads no more than an hour for a window and leaves longer ones to the executor", async () => {
    const { scan, state } = createScan();
    const hits = await scan.hitsIn({ from: at("08:59:55.000"), to: MINUTE.to }, state.rules);
    expect(hits.of(buildRule("one"))).toBeUndefined();
    expect(state.reads).toEqual([]);
  });

  it("does not read repeatedly for rules with too many hits", async () => {
    const { scan, state } = createScan({ hitsPerRule: 0 });
    state.logs = [logAt("10:00:01.000", RULES.join(" "))];
    const hits = await scan.hitsIn(MINUTE, state.rules);
    expect(hits.of(buildRule("one"))).toBeUndefined();
    await scan.hitsIn(MINUTE, state.rules);
    expect(state.reads).toHaveLength(1);
  });

  it("does not cache a segment that is not complete", async () => {
    const { scan, state } = createScan();
    const hits = await scan.hitsIn({ ...MINUTE, to: at("10:00:58.000") }, state.rules);
    expect(hits.of(buildRule("one"))).toBeUndefined();
    expect(state.reads).toEqual([]);
  });

  it("reads again after a failed read", async () => {
    const { scan, state } = createScan();
    const { logs } = state;
    Object.defineProperty(state, "logs", {
      configurable: true,
      get: () => {
        throw new Error("planted");
      },
    });
    await expect(scan.hitsIn(MINUTE, state.rules)).rejects.toThrow("planted");
    Object.defineProperty(state, "logs", { value: logs });
    expect(toIds((await scan.hitsIn(MINUTE, state.rules)).of(buildRule("three")))).toHaveLength(1);
  });
});
