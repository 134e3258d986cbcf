import { describe, expect, it } from "vitest";
import { parsePeriod, splitPeriod } from "./period.ts";
import { computeMeanTimes, fillTrend, groupCaseCounts, mergeTopSources } from "./stats.ts";

const NOW = new Date("2026-11-15T12:30:00Z");
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

describe("mean times of alerts", () => {
  it("cover only alerts that were acknowledged or resolved", () => {
    const alerts = [
      { created_at: NOW, reopened_at: null, acknowledged_at: minutesLater(10), resolved_at: minutesLater(100) },
      { created_at: NOW, reopened_at: null, acknowledged_at: minutesLater(15), resolved_at: null },
      { created_at: NOW, reopened_at: null, acknowledged_at: null, resolved_at: null },
    ];
    expect(computeMeanTimes(alerts)).toEqual({ mtta_minutes: 12.5, mttr_minutes: 100 });
  });

  it("start at the reopening of a reopened alert", () => {
    const [created_at, reopened_at, acknowledged_at] = [NOW, minutesLater(1000), minutesLater(1003)];
    const alerts = [{ created_at, reopened_at, acknowledged_at, resolved_at: null }];
    expect(computeMeanTimes(alerts).mtta_minutes).toBe(3);
  });

  it("are null without data", () => {
    expect(computeMeanTimes([])).toEqual({ mtta_minutes: null, mttr_minutes: null });
  });
});

it("counts a case as open until it is resolved or closed", () => {
  const counts = groupCaseCounts([
    { status: "open", count: 1 },
    { status: "contained", count: 2 },
    { status: "resolved", count: 4 },
    { status: "closed", count: 8 },
  ]);
  expect(counts).toMatchObject({ total: 15, open: 3 });
});

it("has 24 full hours, oldest first, including hours without alerts", () => {
  const trend = fillTrend(NOW, [
    { hour: 0, count: 2 },
    { hour: 23, count: 5 },
  ]);
  expect(trend).toHaveLength(24);
  expect(trend[0]).toEqual({ hour: new Date("2026-11-14T13:00:00Z"), count: 2 });
  expect(trend[23]).toEqual({ hour: new Date("2026-11-15T12:00:00Z"), count: 5 });
  expect(trend[12]?.count).toBe(0);
});

it("adds up a source that was counted in two parts and returns the top ten", () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ source: `s${index}`, count: index }));
  const top = mergeTopSources([...many, { source: "s3", count: 20 }]);
  expect(top).toHaveLength(10);
  expect(top[0]).toEqual({ source: "s3", count: 23 });
});

describe("period of the statistics", () => {
  it("defaults to the last 30 days", () => {
    expect(parsePeriod(undefined, undefined, NOW)).toEqual({ from: new Date("2026-10-16T12:30:00Z"), to: NOW });
  });

  it("is read in parts without a gap", () => {
    const period = parsePeriod("2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z", NOW);
    const parts = splitPeriod(period);
    expect(parts).toHaveLength(9);
    expect(parts[0]?.from).toEqual(period.from);
    expect(parts[1]?.from).toEqual(parts[0]?.to);
    expect(parts.at(-1)?.to).toEqual(period.to);
  });
});
