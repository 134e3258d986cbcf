import { expect, it } from "vitest";
import { concerns, type OldDay, toDay, toStartMs } from "./old-day.ts";

/** Its earliest log claims a time of the previous day. */
const DAY: OldDay = {
  ...{ day: 20_261_109, logs: 2, bytes: 100, sources: [], moved_at: "2026-11-17T00:00:00.000Z", on_box: "gone" },
  ...{ first: "2026-11-08T23:00:00.000Z", last: "2026-11-09T11:30:00.000Z" },
  by_severity: { critical: 0, high: 0, medium: 0, low: 0, info: 2 },
};

it.each([
  ["ingested_at", "2026-11-09T23:59:59.999Z", "2026-11-10T00:00:00Z", true],
  ["ingested_at", "2026-11-10T00:00:00Z", "2026-11-11T00:00:00Z", false],
  ["ingested_at", "2026-11-08T00:00:00Z", "2026-11-09T00:00:00Z", false],
  ["ingested_at", "2026-11-08T00:00:00Z", "2026-11-09T00:00:00.001Z", true],
  ["timestamp", "2026-11-09T11:30:00Z", "2026-11-09T12:00:00Z", true],
  ["timestamp", "2026-11-09T11:30:00.001Z", "2026-11-09T12:00:00Z", false],
  ["timestamp", "2026-11-08T20:00:00Z", "2026-11-08T23:00:00Z", false],
  ["timestamp", "2026-11-08T20:00:00Z", "2026-11-08T23:00:00.001Z", true],
] as const)("decides whether a day may have logs by %s from %s to %s: %s", (time, from, to, answer) => {
  expect(concerns(DAY, { time, from: new Date(from), to: new Date(to) })).toBe(answer);
});

it("names a day as the log engine does", () => {
  expect(toDay(new Date("2026-11-09T23:59:59.999Z"))).toBe(20_261_109);
  expect(toStartMs(20_261_109)).toBe(Date.parse("2026-11-09T00:00:00Z"));
});
