import process from "node:process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createRandom } from "../../../testing/simulations/random.ts";
import { assign, type PartitionOwnership } from "./assignment.ts";

const name = (worker: number) => `worker ${worker}`;
const unowned = (partitions: number): PartitionOwnership[] =>
  Array.from({ length: partitions }, (_, partition) => ({ partition, owner: undefined }));
const asOwned = (assigned: ReadonlyMap<number, string>): PartitionOwnership[] =>
  [...assigned].map(([partition, owner]) => ({ partition, owner }));

function countShares(assigned: ReadonlyMap<number, string>, workers: readonly string[]): number[] {
  const shares = new Map(workers.map((worker) => [worker, 0]));
  for (const worker of assigned.values()) shares.set(worker, (shares.get(worker) ?? 0) + 1);
  return [...shares.values()];
}

function countMoves(before: ReadonlyMap<number, string>, after: ReadonlyMap<number, string>): number {
  return [...after].filter(([partition, worker]) => before.get(partition) !== worker).length;
}

it("gives twelve partitions to three workers in equal shares", () => {
  const assigned = assign(unowned(12), ["b", "a", "c"]);
  expect(countShares(assigned, ["a", "b", "c"])).toEqual([4, 4, 4]);
});

it("assigns nothing without workers", () => {
  expect(assign(unowned(12), []).size).toBe(0);
});

it("leaves partitions with their owners, and moves one worker's share if a worker joins or leaves", () => {
  const workers = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      workers,
      fc.integer({ min: 100, max: 200 }),
      (partitions, those, other) => {
        const before = those.map(name);
        const first = assign(unowned(partitions), before);
        expect(first.size).toBe(partitions);
        expect(assign(asOwned(first), before.toReversed())).toEqual(first);

        const joined = [...before, name(other)];
        const wider = assign(asOwned(first), joined);
        expect(Math.max(...countShares(wider, joined)) - Math.min(...countShares(wider, joined))).toBeLessThanOrEqual(
          1,
        );
        expect(countMoves(first, wider)).toBeLessThanOrEqual(Math.ceil(partitions / joined.length));

        const gone = joined.slice(1);
        const narrower = assign(asOwned(wider), gone);
        expect(Math.max(...countShares(narrower, gone)) - Math.min(...countShares(narrower, gone))).toBeLessThanOrEqual(
          1,
        );
        expect(countMoves(wider, narrower)).toBeLessThanOrEqual(Math.ceil(partitions / joined.length));
      },
    ),
  );
});

const CHANGES = process.env.PROVE === "full" ? 200 : 30;

it("keeps the shares of 1,000 workers equal while workers join and leave", () => {
  const random = createRandom(7);
  const partitions = 12_000;
  let workers = Array.from({ length: 1000 }, (_, place) => name(place));
  let assigned = assign(unowned(partitions), workers);
  for (let change = 0; change < CHANGES; change += 1) {
    const isJoining = random.isOneIn(2);
    workers = isJoining
      ? [...workers, name(10_000 + change)]
      : workers.toSpliced(random.between(0, workers.length - 1), 1);
    const next = assign(asOwned(assigned), workers);
    const shares = countShares(next, workers);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    expect(countMoves(assigned, next)).toBeLessThanOrEqual(Math.ceil(partitions / Math.min(workers.length, 1000)) + 1);
    assigned = next;
  }
});
