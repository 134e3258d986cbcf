import { describe, expect, it } from "vitest";
import { formatRange, freezeRange, isRelative, parseRange, readRange, resolveRange } from "./range.ts";
import { rangeWords } from "./range-words.ts";

const NOW = new Date("2026-11-17T09:30:00Z");
const UTC = { now: NOW, zone: "UTC" };

describe("a range as text", () => {
  it.each([
    ["-15m", { from: "-15m" }],
    ["24h", { from: "-24h" }],
    [" -7D ", { from: "-7d" }],
    ["-2h..-1h", { from: "-2h", to: "-1h" }],
    ["8:00..10:00", { from: "2026-11-17T08:00:00.000Z", to: "2026-11-17T10:00:00.000Z" }],
    ["8:00 .. 9:15:30", { from: "2026-11-17T08:00:00.000Z", to: "2026-11-17T09:15:30.000Z" }],
    ["8:00..", { from: "2026-11-17T08:00:00.000Z" }],
    ["2026-11-16", { from: "2026-11-16T00:00:00.000Z", to: "2026-11-17T00:00:00.000Z" }],
    ["2026-10-30..2026-11-01", { from: "2026-10-30T00:00:00.000Z", to: "2026-11-02T00:00:00.000Z" }],
    ["2026-11-17T08:00..2026-11-17T09:00", { from: "2026-11-17T08:00:00.000Z", to: "2026-11-17T09:00:00.000Z" }],
    ["2026-11-17 08:00..2026-11-17 09:00", { from: "2026-11-17T08:00:00.000Z", to: "2026-11-17T09:00:00.000Z" }],
    [
      "2026-11-17T08:00:00+02:00..2026-11-17T07:00Z",
      { from: "2026-11-17T06:00:00.000Z", to: "2026-11-17T07:00:00.000Z" },
    ],
    ["2026-11-17T08:00:00Z..", { from: "2026-11-17T08:00:00.000Z" }],
  ])("parses the range %s", (text, range) => {
    expect(parseRange(text, UTC)).toEqual(range);
  });

  it.each([
    "",
    "..",
    "-0m",
    "15x",
    "8:00",
    "25:00..26:00",
    "8:60..9:00",
    "2026-02-30",
    "2026-11-17T10:00..2026-11-17T08:00",
    "-1h..-2h",
    "99999d",
    "a..b",
    "-1h..-30m..-1m",
    "2026-11-17T08:00Z; DROP",
  ])("rejects the range '%s'", (text) => {
    expect(parseRange(text, UTC)).toBeUndefined();
  });

  it("reads hours later than now as those of yesterday", () => {
    expect(parseRange("10:00..11:00", UTC)?.from).toBe("2026-11-16T10:00:00.000Z");
  });

  it("ends hours over midnight on the next day", () => {
    expect(parseRange("22:00..2:00", UTC)).toEqual({
      from: "2026-11-16T22:00:00.000Z",
      to: "2026-11-17T02:00:00.000Z",
    });
  });

  it("reads a range in the chosen zone, with its daylight saving time", () => {
    // Cairo: UTC+2 in winter, UTC+3 in summer.
    expect(parseRange("8:00..10:00", { now: NOW, zone: "Africa/Cairo" })).toEqual({
      from: "2026-11-17T06:00:00.000Z",
      to: "2026-11-17T08:00:00.000Z",
    });
    expect(parseRange("2026-07-01", { now: NOW, zone: "Africa/Cairo" })).toEqual({
      from: "2026-06-30T21:00:00.000Z",
      to: "2026-07-01T21:00:00.000Z",
    });
    // New York ends daylight saving time on 1 November 2026: the day has 25 hours.
    expect(parseRange("2026-11-01", { now: NOW, zone: "America/New_York" })).toEqual({
      from: "2026-11-01T04:00:00.000Z",
      to: "2026-11-02T05:00:00.000Z",
    });
  });

  it.each([
    { from: "-24h" },
    { from: "-2h", to: "-1h" },
    { from: "2026-11-17T08:00:00.000Z", to: "2026-11-17T09:00:00.000Z" },
  ])("formats %j so that it parses back to the same range", (range) => {
    expect(parseRange(formatRange(range), UTC)).toEqual(range);
  });
});

describe("a range in the address", () => {
  it("keeps a relative range relative", () => {
    expect(readRange({ from: "-24h" }, NOW)).toEqual({ from: "-24h" });
    expect(isRelative({ from: "-24h" })).toBe(true);
    expect(isRelative({ from: "2026-11-17T08:00:00Z" })).toBe(false);
  });

  it.each([
    [{}],
    [{ from: 24 }],
    [{ from: "24h" }],
    [{ from: "yesterday" }],
    [{ from: "-24h", to: 5 }],
    [{ from: "2026-11-18T00:00:00Z" }],
    [{ from: "-1h", to: "-2h" }],
  ])("rejects the parameters %j", (search) => {
    expect(readRange(search, NOW)).toBeUndefined();
  });

  it("resolves a range to instants of now and freezes it to them", () => {
    expect(resolveRange({ from: "-24h" }, NOW)).toEqual({ from: new Date("2026-11-16T09:30:00Z"), to: NOW });
    expect(freezeRange({ from: "-2h", to: "-30m" }, NOW)).toEqual({
      from: "2026-11-17T07:30:00.000Z",
      to: "2026-11-17T09:00:00.000Z",
    });
  });
});

describe("a range in words", () => {
  const spell = (at: Date) => at.toISOString().slice(11, 16);
  it.each([
    [{ from: "-24h" }, "Last 24 hours", "آخر 24 ساعة"],
    [{ from: "-1h" }, "Last hour", "آخر ساعة"],
    [{ from: "-7d" }, "Last 7 days", "آخر 7 أيام"],
    [{ from: "2026-11-17T08:00:00Z" }, "Since 08:00", "منذ 08:00"],
    [{ from: "-2h", to: "-1h" }, "07:30 to 08:30", "من 07:30 إلى 08:30"],
  ])("describes the range %j", (range, english, arabic) => {
    expect(rangeWords(range, NOW, "en", spell)).toBe(english);
    expect(rangeWords(range, NOW, "ar", spell)).toBe(arabic);
  });
});
