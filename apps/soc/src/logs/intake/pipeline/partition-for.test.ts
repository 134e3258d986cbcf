import fc from "fast-check";
import { expect, it } from "vitest";
import { createPartitionFinder, partitionFor } from "./partition-for.ts";

it.each([
  [{ site: "", source: "", sender: "" }, 7],
  [{ site: "Riyadh", source: "firewall", sender: "key:edge" }, 6],
])("never changes for %j, so that a repeat reaches the owner that remembers it", (key, partition) => {
  expect(partitionFor(key, 12)).toBe(partition);
});

it("is always a valid partition, and distinguishes adjacent fields", () => {
  const text = fc.string();
  fc.assert(
    fc.property(text, text, text, fc.integer({ min: 1, max: 1000 }), (site, source, sender, partitions) => {
      const partition = partitionFor({ site, source, sender }, partitions);
      expect(partition).toBeGreaterThanOrEqual(0);
      expect(partition).toBeLessThan(partitions);
    }),
  );
  const some = [
    partitionFor({ site: "ab", source: "", sender: "" }, 1000),
    partitionFor({ site: "a", source: "b", sender: "" }, 1000),
  ];
  expect(some[0]).not.toBe(some[1]);
});

it("spreads senders evenly", () => {
  const counts = Array.from({ length: 12 }, () => 0);
  for (let sender = 0; sender < 12_000; sender += 1) {
    const partition = partitionFor({ site: "s", source: "f", sender: `10.0.${sender >> 8}.${sender & 255}` }, 12);
    counts[partition] = (counts[partition] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(Math.max(...counts)).toBeLessThan(1150);
});

it("returns the same partition with a cached neighbour", () => {
  const text = fc.constantFrom("", "a", "b");
  const keys = fc.array(fc.record({ site: text, source: text, sender: text }), { maxLength: 50 });
  fc.assert(
    fc.property(keys, (those) => {
      const find = createPartitionFinder(12);
      expect(those.map(find)).toEqual(those.map((key) => partitionFor(key, 12)));
    }),
  );
});
