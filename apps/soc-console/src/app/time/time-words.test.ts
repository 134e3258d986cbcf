import { describe, expect, it } from "vitest";
import { durationWords, relativeWords } from "./time-words.ts";

describe("a duration", () => {
  it.each([
    [-5, "0 ms", "0 م.ث"],
    [38, "38 ms", "38 م.ث"],
    [400, "400 ms", "400 م.ث"],
    [3100, "3.1 s", "3.1 ث"],
    [59_400, "59 s", "59 ث"],
    [59_600, "1 min", "1 د"],
    [2_460_000, "41 min", "41 د"],
    [7_560_000, "2.1 h", "2.1 س"],
    [50_400_000, "14 h", "14 س"],
    [3 * 86_400_000, "3 d", "3 أيام"],
    [41 * 86_400_000, "41 d", "41 يومًا"],
  ])("formats a duration of %i ms", (ms, english, arabic) => {
    expect(durationWords(ms, "en")).toBe(english);
    expect(durationWords(ms, "ar")).toBe(arabic);
  });
});

describe("an instant beside now", () => {
  const NOW = new Date("2026-11-17T19:41:08Z");
  it.each([
    ["2026-11-17T19:41:04Z", "4 s ago", "قبل 4 ث"],
    ["2026-11-17T19:41:04.900Z", "3 s ago", "قبل 3 ث"],
    ["2026-11-17T19:41:07.500Z", "now", "الآن"],
    ["2026-11-17T20:22:08Z", "in 41 min", "بعد 41 د"],
  ])("formats an instant relative to now: %s", (at, english, arabic) => {
    expect(relativeWords(new Date(at), NOW, "en")).toBe(english);
    expect(relativeWords(new Date(at), NOW, "ar")).toBe(arabic);
  });
});
