import { expect, it } from "vitest";
import type { OldDay } from "./old-day.ts";
import { splitByDays } from "./tiered-log-store.ts";

const listDays = (days: readonly number[]) => days.map((day) => ({ day }) as OldDay);
const split = (from: string, to: string, days: readonly number[]) =>
  splitByDays({ from: new Date(from), to: new Date(to) }, listDays(days)).map((part) => [
    part.from.toISOString().slice(5, 16),
    part.to.toISOString().slice(5, 16),
    part.day?.day,
  ]);

it("reads the part of each old day separately, in order", () => {
  expect(split("2026-11-01T12:00:00Z", "2026-11-05T06:00:00Z", [20_261_104, 20_261_102])).toEqual([
    ["11-01T12:00", "11-02T00:00", undefined],
    ["11-02T00:00", "11-03T00:00", 20_261_102],
    ["11-03T00:00", "11-04T00:00", undefined],
    ["11-04T00:00", "11-05T00:00", 20_261_104],
    ["11-05T00:00", "11-05T06:00", undefined],
  ]);
});

it("reads a window within an old day, or beside it, unchanged", () => {
  expect(split("2026-11-02T01:00:00Z", "2026-11-02T02:00:00Z", [20_261_102])).toEqual([
    ["11-02T01:00", "11-02T02:00", 20_261_102],
  ]);
  expect(split("2026-11-03T00:00:00Z", "2026-11-04T00:00:00Z", [20_261_102, 20_261_104])).toEqual([
    ["11-03T00:00", "11-04T00:00", undefined],
  ]);
  expect(split("2026-11-03T00:00:00Z", "2026-11-03T00:00:00Z", [])).toEqual([]);
});
