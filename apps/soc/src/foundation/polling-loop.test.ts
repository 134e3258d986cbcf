import { createFakeClock, type FakeClock } from "@kit/clock/fake";
import { beforeEach, expect, it } from "vitest";
import { createPollingLoop, type PollingLoopDeps } from "./polling-loop.ts";

let clock: FakeClock;
let logged: unknown[];
let begun: string[];

beforeEach(() => {
  clock = createFakeClock();
  [logged, begun] = [[], []];
});

/** Records the number and the start time of each round. */
function createTestLoop({ round, ...options }: Partial<PollingLoopDeps> & Pick<PollingLoopDeps, "round">) {
  return createPollingLoop({
    round: (turn, closing) => {
      begun.push(`${turn} at ${clock.monotonicMs()}`);
      return round(turn, closing);
    },
    waitMs: 1000,
    failure: "bread not baked",
    clock,
    log: { warn: (...entry: unknown[]) => void logged.push(entry) },
    ...options,
  });
}

it("counts rounds from 0, starts the first one immediately and waits the default time after each", async () => {
  const loop = createTestLoop({ round: () => clock.sleep(300) });
  loop.start();
  await clock.advance(2599);
  expect(begun).toEqual(["0 at 0", "1 at 1300"]);
  await clock.advance(1);
  expect(begun).toEqual(["0 at 0", "1 at 1300", "2 at 2600"]);
});

it("waits as long as a round returns, including 0", async () => {
  const loop = createTestLoop({ round: async (turn) => [200, 0, 50][turn] ?? 1_000_000 });
  loop.start();
  await clock.advance(10_000);
  expect(begun).toEqual(["0 at 0", "1 at 200", "2 at 200", "3 at 250"]);
});

it("keeps a minimum time between the starts of rounds, and starts late after a long one", async () => {
  const round = async (turn: number) => {
    await clock.sleep(turn === 1 ? 1700 : 300);
    if (turn === 2) throw new Error("no flour");
  };
  const loop = createTestLoop({ round, waitMs: 0, apartMs: 1000 });
  loop.start();
  await clock.advance(4000);
  expect(begun).toEqual(["0 at 0", "1 at 1000", "2 at 2700", "3 at 3700"]);
});

it("logs a failed round and continues", async () => {
  const error = new Error("no flour");
  const round = async (turn: number) => {
    if (turn === 0) throw error;
    return 50;
  };
  const loop = createTestLoop({ round });
  loop.start();
  await clock.advance(1000);
  expect(begun).toEqual(["0 at 0", "1 at 1000"]);
  expect(logged).toEqual([[{ err: error }, "bread not baked"]]);
});

it("runs each round once if it is started twice", async () => {
  const loop = createTestLoop({ round: async () => undefined });
  loop.start();
  loop.start();
  await clock.advance(1000);
  expect(begun).toEqual(["0 at 0", "1 at 1000"]);
});

it("ends a wait immediately when it is closed", async () => {
  const loop = createTestLoop({ round: async () => undefined, apartMs: 5000 });
  loop.start();
  await clock.advance(10);
  await loop.close();
  await clock.advance(10_000);
  expect(begun).toEqual(["0 at 0"]);
  expect(logged).toEqual([]);
});

it("aborts the signal of the round in progress on close, and waits for the round", async () => {
  const seen: string[] = [];
  const loop = createTestLoop({
    round: async (_turn, closing) => {
      closing.addEventListener("abort", () => seen.push("asked to end"));
      await clock.sleep(500);
      seen.push("round done");
    },
  });
  loop.start();
  const closed = loop.close().then(() => seen.push("closed"));
  await clock.advance(499);
  expect(seen).toEqual(["asked to end"]);
  await clock.advance(1);
  await closed;
  expect(seen).toEqual(["asked to end", "round done", "closed"]);
  expect(begun).toEqual(["0 at 0"]);
});

it("closes if it never ran, and runs no round afterwards", async () => {
  const loop = createTestLoop({ round: async () => undefined });
  await loop.close();
  loop.start();
  await clock.advance(5000);
  expect(begun).toEqual([]);
});
