import { describe, expect, it } from "vitest";
import { instantAt, offsetWords, toLocalInput, wallTimeAt, zoneLabel } from "./zone.ts";

const AT = new Date("2026-11-17T22:30:15Z");

describe("a zone", () => {
  it("shows the wall clock time of a zone", () => {
    expect(wallTimeAt(AT, "Africa/Cairo")).toEqual({ year: 2026, month: 11, day: 18, hour: 0, minute: 30, second: 15 });
    expect(toLocalInput(AT, "UTC")).toBe("2026-11-17T22:30");
  });

  it.each([
    ["UTC", "UTC", "+00:00"],
    ["Africa/Cairo", "Cairo +02:00", "+02:00"],
    ["Asia/Kolkata", "Kolkata +05:30", "+05:30"],
    ["America/New_York", "New York -05:00", "-05:00"],
  ])("labels the zone %s as %s", (zone, label, offset) => {
    expect(zoneLabel(zone, AT)).toBe(label);
    expect(offsetWords(AT, zone)).toBe(offset);
  });

  const wall = (text: string) => {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
    return { year, month, day, hour, minute, second: 0 };
  };
  it.each([
    // Berlin, 2026: clocks go forward on 29 March at 2:00 and back on 25 October at 3:00.
    ["2026-03-29 01:59", "2026-03-29T00:59:00.000Z"],
    ["2026-03-29 02:30", "2026-03-29T01:30:00.000Z"],
    ["2026-03-29 03:00", "2026-03-29T01:00:00.000Z"],
    ["2026-10-25 01:59", "2026-10-24T23:59:00.000Z"],
    ["2026-10-25 02:30", "2026-10-25T00:30:00.000Z"],
    ["2026-10-25 03:00", "2026-10-25T02:00:00.000Z"],
  ])("finds the instant of %s in Berlin", (text, instant) => {
    expect(instantAt(wall(text), "Europe/Berlin").toISOString()).toBe(instant);
  });
});
