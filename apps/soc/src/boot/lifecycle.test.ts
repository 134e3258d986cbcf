import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { expect, it } from "vitest";
import { createSweeper } from "./lifecycle.ts";

const MINUTE_MS = 60_000;

/** A table with expired rows of which one piece of a sweep deletes at most ten. */
function createTable(expired: number) {
  const table = { expired };
  const run = async () => {
    const swept = Math.min(10, table.expired);
    table.expired -= swept;
    return swept;
  };
  return { table, run };
}

it("sweeps within a minute after the start, so that a frequently restarted process sweeps as well", async () => {
  const clock = createFakeClock();
  const { table, run } = createTable(10);
  const sweeper = createSweeper({ sweeps: [{ name: "rows", run }], clock, ids: createFakeIds(), log: silentLog });
  await sweeper.start();
  await clock.advance(MINUTE_MS);
  expect(table.expired).toBe(0);
  await sweeper.close();
});

it("sweeps to the end in one round, piece by piece, even after another sweep has failed", async () => {
  const clock = createFakeClock();
  const { table, run } = createTable(10_005);
  const broken = { name: "broken", run: () => Promise.reject(new Error("planted")) };
  const sweeps = [broken, { name: "rows", run }];
  const sweeper = createSweeper({ sweeps, clock, ids: createFakeIds(), log: silentLog });
  await sweeper.start();
  await clock.advance(2 * MINUTE_MS);
  expect(table.expired).toBe(0);
  await sweeper.close();
});

it("stops between two pieces when the process closes", async () => {
  const clock = createFakeClock();
  const { table, run } = createTable(1_000_000);
  const sweeper = createSweeper({ sweeps: [{ name: "rows", run }], clock, ids: createFakeIds(), log: silentLog });
  await sweeper.start();
  await clock.advance(MINUTE_MS);
  await sweeper.close();
  expect(table.expired).toBeGreaterThan(0);
});
