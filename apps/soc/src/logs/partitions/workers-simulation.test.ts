import process from "node:process";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { createWorkersWorld, type SettleResult } from "../../../testing/simulations/workers-history.ts";
import { LEASE_MS } from "./partition-rules.ts";

const isFull = process.env.PROVE === "full";
const WORKERS = isFull ? 1000 : 40;
const PARTITIONS = isFull ? 3000 : 130;
const CHANGES = isFull ? 5 : 10;
const ROUND_MS = 500;
const clock = createClock();
const ONE_SHARE = Math.ceil(PARTITIONS / WORKERS);

it(`moves one share if one of ${WORKERS} workers joins or leaves, and owns it again within a lease and a few rounds`, {
  timeout: isFull ? 3_600_000 : 60_000,
}, () => {
  const rulesMs: number[] = [];
  const measure = <Result>(rule: () => Result): Result => {
    const startMs = clock.monotonicMs();
    const result = rule();
    rulesMs.push(clock.monotonicMs() - startMs);
    return result;
  };
  const world = createWorkersWorld({ workers: WORKERS, partitions: PARTITIONS, seed: 7, measure });
  const started = world.startAll();
  const [joined, killed]: [SettleResult[], SettleResult[]] = [[], []];
  for (let change = 0; change < CHANGES; change += 1) {
    joined.push(world.join());
    killed.push(world.kill());
  }
  expect(world.idle(2 * LEASE_MS)).toBe(0);
  for (const { moved, tookMs } of joined) {
    expect(moved).toBeLessThanOrEqual(ONE_SHARE);
    expect(tookMs).toBeLessThanOrEqual(4 * ROUND_MS);
  }
  for (const { moved, tookMs } of killed) {
    expect(moved).toBeLessThanOrEqual(ONE_SHARE + 1);
    expect(tookMs).toBeLessThanOrEqual(LEASE_MS + 4 * ROUND_MS);
  }
  if (!isFull) return;
  const sorted = rulesMs.toSorted((a, b) => a - b);
  const words = (found: readonly SettleResult[]) =>
    `moved ${Math.max(...found.map(({ moved }) => moved))} at most, within ${Math.max(...found.map(({ tookMs }) => tookMs))} ms`;
  process.stdout.write(
    `${WORKERS} workers, ${PARTITIONS} partitions: all owned after ${started.tookMs} ms; one comes: ${words(joined)}; ` +
      `one is killed: ${words(killed)}; the rule takes ${sorted[Math.floor(sorted.length / 2)]?.toFixed(2)} ms (median of ` +
      `${sorted.length}), ${sorted.at(-1)?.toFixed(1)} ms at most\n`,
  );
});
