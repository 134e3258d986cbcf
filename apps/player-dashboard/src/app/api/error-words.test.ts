import { describe, expect, it } from "vitest";
import { ApiError } from "./api-client.ts";
import { errorWords } from "./error-words.ts";

describe("a refusal in words", () => {
  it.each([
    [new ApiError(0, "Failed to fetch"), "The player did not respond. Nothing was changed."],
    [new ApiError(429, "", { retryAfterSeconds: 4 }), "Too many taps. Try again in 4 s."],
    [new ApiError(400, "volume: must be at most 100"), "Could not do that: volume: must be at most 100"],
    [new ApiError(500, ""), "Could not do that: 500"],
  ])("%s", (error, words) => {
    expect(errorWords(error, "en")).toBe(words);
  });
});
