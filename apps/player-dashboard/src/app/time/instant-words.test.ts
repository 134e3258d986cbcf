import { describe, expect, it } from "vitest";
import { instantWords } from "./instant-words.ts";

const seconds = (instant: string) => Date.parse(instant) / 1000;
// A Sunday; the local time at the device is 23:30.
const SUNDAY = { nowS: seconds("2026-11-15T20:30:00Z"), timezone: "<+03>-3" };

describe("an instant in words", () => {
  it.each([
    ["2026-11-15T20:45:00Z", "today at 11:45 PM"],
    ["2026-11-15T21:15:00Z", "tomorrow at 12:15 AM"],
    ["2026-11-16T01:52:00Z", "tomorrow at 4:52 AM"],
    ["2026-11-14T12:00:00Z", "yesterday at 3:00 PM"],
    ["2026-11-20T09:00:00Z", "Friday at 12:00 PM"],
    ["2026-11-21T21:30:00Z", "22 November 2026 at 12:30 AM"],
    ["2026-11-13T09:00:00Z", "Friday at 12:00 PM"],
    ["2026-10-01T09:00:00Z", "1 October 2026 at 12:00 PM"],
  ])("%s is %s", (instant, words) => {
    expect(instantWords(seconds(instant), { ...SUNDAY, is24h: false, language: "en" })).toBe(words);
  });

  it.each([
    ["2026-11-16T01:52:00Z", "غدًا الساعة ٠٤:٥٢"],
    ["2026-11-20T09:00:00Z", "الجمعة الساعة ١٢:٠٠"],
    ["2026-10-01T09:00:00Z", "١ أكتوبر ٢٠٢٦ الساعة ١٢:٠٠"],
  ])("formats %s as %s in Arabic", (instant, words) => {
    expect(instantWords(seconds(instant), { ...SUNDAY, is24h: true, language: "ar" })).toBe(words);
  });
});
