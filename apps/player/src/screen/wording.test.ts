import { describe, expect, it } from "vitest";
import { formatClockText, formatDate, formatDuration, formatNumber, formatWait } from "./wording.ts";

const SUNDAY = { month: 11, day: 15, hour: 0, minute: 5, weekday: 0 };

it.each([
  ["en", "1448", "1448"],
  ["ar", "1448", "١٤٤٨"],
  ["ar", "0123456789", "٠١٢٣٤٥٦٧٨٩"],
] as const)("formats numbers in %s: %s becomes %s", (language, value, text) => {
  expect(formatNumber(language, value)).toBe(text);
});

describe("clock", () => {
  it.each([
    [0, 5, "12:05", "AM", "00:05"],
    [9, 41, "9:41", "AM", "09:41"],
    [11, 59, "11:59", "AM", "11:59"],
    [12, 0, "12:00", "PM", "12:00"],
    [13, 7, "1:07", "PM", "13:07"],
    [23, 59, "11:59", "PM", "23:59"],
  ])("formats %i h %i min", (hour, minute, time, suffix, time24) => {
    const wallTime = { ...SUNDAY, hour, minute };
    expect(formatClockText("en", wallTime, false)).toEqual({ time, suffix });
    expect(formatClockText("en", wallTime, true)).toEqual({ time: time24, suffix: "" });
  });

  it("uses Arabic", () => {
    expect(formatClockText("ar", { ...SUNDAY, hour: 17, minute: 42 }, false)).toEqual({ time: "٥:٤٢", suffix: "م" });
    expect(formatClockText("ar", SUNDAY, true)).toEqual({ time: "٠٠:٠٥", suffix: "" });
  });
});

it("names the day in both languages", () => {
  expect(formatDate("en", SUNDAY)).toBe("Sun 15 Nov");
  expect(formatDate("ar", SUNDAY)).toBe("الأحد ١٥ نوفمبر");
  expect(formatDate("en", { ...SUNDAY, month: 1, day: 2, weekday: 6 })).toBe("Sat 2 Jan");
});

it.each([
  [0, "0:00"],
  [999, "0:00"],
  [7000, "0:07"],
  [187_400, "3:07"],
  [600_000, "10:00"],
  [3_599_999, "59:59"],
  [3_600_000, "1:00:00"],
  [3_723_000, "1:02:03"],
  [36_000_000, "10:00:00"],
])("formats %i ms of a recording as %s", (ms, text) => {
  expect(formatDuration("en", ms)).toBe(text);
});

it.each([
  [-5, "0 s", "٠ ث"],
  [0.2, "1 s", "١ ث"],
  [42, "42 s", "٤٢ ث"],
  [60, "1 min", "١ د"],
  [61, "2 min", "٢ د"],
  [3540, "59 min", "٥٩ د"],
  [3600, "1 h", "١ س"],
  [5040, "1 h 24 min", "١ س ٢٤ د"],
  [36_001, "10 h 1 min", "١٠ س ١ د"],
])("formats a wait of %d s as %s", (seconds, english, arabic) => {
  expect(formatWait("en", seconds)).toBe(english);
  expect(formatWait("ar", seconds)).toBe(arabic);
});
