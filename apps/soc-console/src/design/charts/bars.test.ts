import { expect, test } from "vitest";
import { bucketLength, findBar, layBars, spanBuckets } from "./bars.ts";

const HOUR_MS = 3_600_000;
const DAY = { from: "2026-11-15T00:00:00.000Z", to: "2026-11-16T00:00:00.000Z" };

function bucket(hour: number, low: number, high = 0) {
  return {
    at: new Date(Date.parse(DAY.from) + hour * HOUR_MS).toISOString(),
    parts: [
      { key: "low", value: low, fill: "var(--fill-low)" },
      { key: "high", value: high, fill: "var(--fill-high)" },
    ],
  };
}

test("places bars at their time when hours are missing", () => {
  const bars = layBars([bucket(0, 1), bucket(1, 1), bucket(12, 1)], { ...DAY, width: 240, height: 57 });
  expect(bars.map(({ x }) => x)).toEqual([0, 10, 120]);
  expect(bars.map(({ width }) => width)).toEqual([8, 8, 8]);
});

test("draws one bucket, and the range of a selection of it, as long as the service says", () => {
  const span = { ...DAY, intervalS: 3600 };
  const [bar] = layBars([bucket(8, 3)], { ...span, width: 240, height: 57 });
  expect(bar).toMatchObject({ x: 80, width: 8 });
  expect(spanBuckets([bucket(8, 3)], 0, 0, span)).toEqual({
    from: "2026-11-15T08:00:00.000Z",
    to: "2026-11-15T09:00:00.000Z",
  });
  const two = layBars([bucket(2, 1), bucket(12, 1)], { ...span, width: 240, height: 57 });
  expect(two.map(({ width }) => width)).toEqual([8, 8]);
});

test("scales the highest bar to the plot height, stacks parts and draws nothing for zero", () => {
  const [first, second] = layBars([bucket(0, 40, 10), bucket(1, 0, 25)], { ...DAY, width: 240, height: 51 });
  expect(first?.parts).toEqual([
    { key: "low", fill: "var(--fill-low)", y: 11, height: 40 },
    { key: "high", fill: "var(--fill-high)", y: 1, height: 10 },
  ]);
  expect(second?.parts).toEqual([{ key: "high", fill: "var(--fill-high)", y: 26, height: 25 }]);
});

test("keeps a bucket of 1 visible beside a bucket of 1000", () => {
  const [, small] = layBars([bucket(0, 100_000), bucket(1, 1)], { ...DAY, width: 240, height: 51 });
  expect(small?.parts[0]?.height).toBe(1);
});

test("selects a range from the start of one bucket to the end of the other, in either order", () => {
  const buckets = [bucket(0, 1), bucket(1, 1), bucket(2, 1), bucket(23, 1)];
  const range = { from: "2026-11-15T01:00:00.000Z", to: "2026-11-15T03:00:00.000Z" };
  expect(spanBuckets(buckets, 1, 2, DAY)).toEqual(range);
  expect(spanBuckets(buckets, 2, 1, DAY)).toEqual(range);
  expect(spanBuckets(buckets, 3, 3, DAY)?.to).toBe(DAY.to);
  expect(spanBuckets([], 0, 0, DAY)).toBeUndefined();
});

test("makes a single bucket as long as the whole span", () => {
  expect(bucketLength([bucket(0, 1)], DAY)).toBe(24 * HOUR_MS);
});

test("finds the nearest bar from any position of the plot", () => {
  const bars = layBars([bucket(0, 1), bucket(1, 1), bucket(12, 1)], { ...DAY, width: 240, height: 50 });
  expect([0, 9, 14, 60, 239].map((x) => findBar(bars, x))).toEqual([0, 0, 1, 1, 2]);
  expect(findBar([], 5)).toBe(-1);
});
