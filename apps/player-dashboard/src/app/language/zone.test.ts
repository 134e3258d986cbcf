import { describe, expect, it } from "vitest";
import { wallTimeAt } from "./zone.ts";

const seconds = (instant: string) => Date.parse(instant) / 1000;

describe("the local time", () => {
  it.each([
    ["UTC0", "2026-11-15T09:45:00Z", "09:45", 0],
    ["<+03>-3", "2026-11-15T22:30:00Z", "01:30", 1],
    ["<+0530>-5:30", "2026-11-15T09:45:00Z", "15:15", 0],
    ["EST5EDT,M3.2.0,M11.1.0", "2026-07-01T12:00:00Z", "08:00", 3],
    ["EST5EDT,M3.2.0,M11.1.0", "2026-12-01T12:00:00Z", "07:00", 2],
    // New York, 2026: forward on the 8th of March at 2:00, back on the 1st of November at 2:00.
    ["EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:00Z", "01:59", 0],
    ["EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", "03:00", 0],
    ["EST5EDT,M3.2.0,M11.1.0", "2026-11-01T05:59:00Z", "01:59", 0],
    ["EST5EDT,M3.2.0,M11.1.0", "2026-11-01T06:00:00Z", "01:00", 0],
    // Berlin, 2026: the last Sundays of March and October.
    ["CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:00Z", "02:59", 0],
    ["CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", "02:00", 0],
    // Sydney's summer goes over the new year.
    ["AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-10T01:00:00Z", "12:00", 6],
    ["AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-06-10T02:00:00Z", "12:00", 3],
    // Day 60 is the 1st of March also in a leap year; without the J, day 59 is its 29th of February.
    ["AAA0BBB,J60/0,J300", "2028-02-29T12:00:00Z", "12:00", 2],
    ["AAA0BBB,J60/0,J300", "2028-03-01T00:00:00Z", "01:00", 3],
    ["AAA0BBB,59/0,300", "2028-02-29T00:00:00Z", "01:00", 2],
    ["nonsense", "2026-11-15T09:45:00Z", "09:45", 0],
  ])("shows local time by the rule %s at %s: %s", (rule, instant, time, weekday) => {
    expect(wallTimeAt(rule, seconds(instant))).toMatchObject({ time, weekday });
  });

  it("counts local days, not UTC days", () => {
    const before = wallTimeAt("<+03>-3", seconds("2026-11-15T20:59:00Z"));
    const after = wallTimeAt("<+03>-3", seconds("2026-11-15T21:00:00Z"));
    expect(after.day - before.day).toBe(1);
  });
});
