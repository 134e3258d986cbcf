import { describe, expect, it } from "vitest";
import { durationWords, wallTimeWords } from "./times.ts";

describe("times", () => {
  it.each([
    ["17:42", true, "17:42", "١٧:٤٢"],
    ["17:42", false, "5:42 PM", "٥:٤٢ م"],
    ["00:05", false, "12:05 AM", "١٢:٠٥ ص"],
    ["12:00", false, "12:00 PM", "١٢:٠٠ م"],
    ["09:30", true, "09:30", "٠٩:٣٠"],
  ])("formats %s (24 hours: %s)", (time, is24h, english, arabic) => {
    expect(wallTimeWords(time, is24h, "en")).toBe(english);
    expect(wallTimeWords(time, is24h, "ar")).toBe(arabic);
  });

  it.each([
    [0, "0:00"],
    [-3, "0:00"],
    [65.9, "1:05"],
    [3599, "59:59"],
    [3600, "1:00:00"],
    [36_061, "10:01:01"],
  ])("formats %s seconds as %s", (seconds, words) => {
    expect(durationWords(seconds, "en")).toBe(words);
  });
});
