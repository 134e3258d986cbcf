import { expect, it } from "vitest";
import { computeHour, toHourEnd, toHourStart } from "./history.ts";

const hour = new Date("2026-11-15T10:00:00Z");
const GAPS = { late_s: 0, skipped_s: 0, capped_s: 0, silent_s: 0 };

it("accounts for the rest of an hour as ran", () => {
  const gaps = { late_s: 600, skipped_s: 60, capped_s: 30, silent_s: 10 };
  expect(computeHour({ hour, total_s: 3600, ...gaps })).toEqual({ hour, total_s: 3600, ran_s: 2900, ...gaps });
});

it("adds up although gaps overlap", () => {
  const { ran_s, silent_s, capped_s } = computeHour({ hour, total_s: 100, ...GAPS, capped_s: 60, silent_s: 70 });
  expect({ ran_s, silent_s, capped_s }).toEqual({ ran_s: 0, silent_s: 70, capped_s: 30 });
});

it("returns the whole hours around a time", () => {
  const [before, within, after] = ["2026-11-15T10:00:00.000Z", "2026-11-15T10:00:00.001Z", "2026-11-15T11:00:00.000Z"];
  expect(toHourStart(new Date(within)).toISOString()).toBe(before);
  expect(toHourEnd(new Date(within)).toISOString()).toBe(after);
  expect([toHourStart(hour), toHourEnd(hour)]).toEqual([hour, hour]);
});
