import { describe, expect, it } from "vitest";
import { ApiError, errorWords } from "./api-error.ts";

const timeIn = (seconds: number) => new Date(2026, 10, 14, 14, 30, seconds);
const refused = (status: number, detail: string, retryAfterSeconds?: number) =>
  errorWords(
    new ApiError({ status, detail, retryAfterSeconds, field: undefined, code: undefined, requestId: undefined }),
    { timeIn },
  );

describe("the words for a failed request", () => {
  it("turns the service's message into a sentence", () => {
    expect(refused(401, "username or password is wrong")).toBe("Username or password is wrong.");
    expect(refused(503, "The database does not answer.")).toBe("The database does not answer.");
  });

  it.each([
    [1, "Too many sign-ins. Try again in 1 second, at 14:30:01."],
    [59, "Too many sign-ins. Try again in 59 seconds, at 14:30:59."],
    [60, "Too many sign-ins. Try again in 1 minute, at 14:31:00."],
    [61, "Too many sign-ins. Try again in 2 minutes, at 14:31:01."],
    [900, "Too many sign-ins. Try again in 15 minutes, at 14:45:00."],
    [3601, "Too many sign-ins. Try again in 2 hours, at 15:30:01."],
    [undefined, "Too many sign-ins. Try again later."],
  ])("says when to retry after a rate limit of %s seconds", (seconds, words) => {
    expect(refused(429, "too many sign-ins", seconds)).toBe(words);
  });

  it("says that the service did not respond", () => {
    expect(refused(0, "Failed to fetch")).toMatch(/^The service did not answer\./);
  });
});
