import { describe, expect, it } from "vitest";
import { ApiError } from "./api-client.ts";
import { errorWords } from "./error-words.ts";

describe("a refusal in words", () => {
  it.each([
    [new ApiError(0, "Failed to fetch"), "The player did not respond. Nothing was changed."],
    [new ApiError(429, "", { retryAfterSeconds: 4 }), "Too many taps. Try again in 4 s."],
    [
      new ApiError(400, "volume: must be at most 100", { field: "volume" }),
      "The player does not accept this. Check what you entered.",
    ],
    [new ApiError(400, "path: there is no such file", { field: "path" }), "The file is not on the card. Choose again."],
    [new ApiError(404, "station '7' does not exist"), "Your choice no longer exists. Choose again."],
    [
      new ApiError(500, "audio: no audio device could be opened"),
      "The player could not do that: one of its parts does not work. See Settings, Diagnostics.",
    ],
  ])("describes the refusal: %s", (error, words) => {
    expect(errorWords(error, "en")).toBe(words);
  });

  it.each([
    new ApiError(400, "days: must be an integer", { field: "days" }),
    new ApiError(404, "card '04A1' does not exist"),
    new ApiError(500, "audio: mpv ended"),
  ])("never shows the device's English message: %s", (error) => {
    expect(errorWords(error, "en")).not.toContain(error.message);
    expect(errorWords(error, "ar")).not.toMatch(/[A-Za-z]/);
  });
});
