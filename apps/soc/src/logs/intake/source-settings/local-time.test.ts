import { expect, it } from "vitest";
import { createLocalTime } from "./local-time.ts";

// From the tz database: Berlin is UTC+1 and in summer UTC+2, Kathmandu UTC+5:45, New York UTC-5 and in summer UTC-4.
it.each([
  ["Europe/Berlin", "2026-01-15T12:00:00Z", "2026-01-15T11:00:00.000Z"],
  ["Europe/Berlin", "2026-07-15T12:00:00Z", "2026-07-15T10:00:00.000Z"],
  ["Europe/Berlin", "2026-03-29T01:59:59Z", "2026-03-29T00:59:59.000Z"],
  ["Europe/Berlin", "2026-03-29T03:00:00Z", "2026-03-29T01:00:00.000Z"],
  ["Europe/Berlin", "2026-10-25T01:59:59Z", "2026-10-24T23:59:59.000Z"],
  ["Europe/Berlin", "2026-10-25T03:00:00Z", "2026-10-25T02:00:00.000Z"],
  ["Asia/Kathmandu", "2026-11-15T05:45:00.250Z", "2026-11-15T00:00:00.250Z"],
  ["America/New_York", "2026-03-08T03:00:00Z", "2026-03-08T07:00:00.000Z"],
  ["UTC", "2026-11-15T05:45:00Z", "2026-11-15T05:45:00.000Z"],
])("converts the local time of %s at %s to %s", (timezone, local, instant) => {
  expect(new Date(createLocalTime(timezone)(Date.parse(local))).toISOString()).toBe(instant);
});

it("refuses an unknown zone", () => {
  expect(() => createLocalTime("Mars/Olympus")).toThrow(/^timezone: 'Mars\/Olympus' is not a time zone/);
});
