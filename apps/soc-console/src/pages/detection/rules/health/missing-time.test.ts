import { expect, it } from "vitest";
import { findLate, listMissing } from "./missing-time.ts";

const RAN = { total_s: 3600, ran_s: 3600, late_s: 0, skipped_s: 0, capped_s: 0, silent_s: 0 };
const at = (hour: number, parts: object = {}) => ({ ...RAN, ...parts, hour: `2026-11-17T0${hour}:00:00.000Z` });

it("merges adjacent hours per reason, newest first", () => {
  const hours = [
    at(1, { ran_s: 3000, silent_s: 600 }),
    at(2, { ran_s: 0, silent_s: 3600 }),
    at(3),
    at(4, { ran_s: 3540, late_s: 40, skipped_s: 20 }),
    at(5, { ran_s: 3599.5, late_s: 0.5 }),
  ];
  expect(listMissing(hours)).toEqual([
    { kind: "late", from: "2026-11-17T04:00:00.000Z", to: "2026-11-17T05:00:00.000Z", seconds: 40 },
    { kind: "skipped", from: "2026-11-17T04:00:00.000Z", to: "2026-11-17T05:00:00.000Z", seconds: 20 },
    { kind: "silent", from: "2026-11-17T01:00:00.000Z", to: "2026-11-17T03:00:00.000Z", seconds: 4200 },
  ]);
});

it("returns nothing when every hour ran", () => {
  expect(listMissing([at(1), at(2)])).toEqual([]);
});

it("reports the recent time that is not evaluated yet", () => {
  const measured_at = "2026-11-17T01:00:00.000Z";
  expect(findLate({ late_s: 90, measured_at })).toEqual({
    ...{ kind: "late", from: "2026-11-17T00:58:30.000Z", to: measured_at, seconds: 90 },
  });
  expect(findLate({ late_s: 0.4, measured_at })).toBeUndefined();
});
