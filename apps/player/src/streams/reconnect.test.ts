import { expect, it } from "vitest";
import { retryDelayMs } from "./reconnect.ts";

const MINUTE = 60_000;

it.each([
  ["at once after a break", 0, 0, 30, 1000],
  ["after a first try that took its time", 13_000, 0, 30, 1000],
  ["after the second try", 1000, 1, 30, 2000],
  ["just before five minutes", 5 * MINUTE - 1, 150, 30, 2000],
  ["after five minutes", 5 * MINUTE, 151, 30, 30_000],
  ["when the next try falls on the last moment", 29.5 * MINUTE, 200, 30, 30_000],
  ["when the next try would come too late", 29.5 * MINUTE + 1, 200, 30, undefined],
  ["when a short limit is over", 58_001, 29, 1, undefined],
  ["when a short limit is not over", 58_000, 29, 1, 2000],
  ["after a day without a limit", 24 * 60 * MINUTE, 3000, 0, 30_000],
])(
  "waits %s: after %d ms and %d tries with a limit of %d minutes the delay is %s",
  (_when, elapsedMs, tries, retryMinutes, delayMs) => {
    expect(retryDelayMs({ elapsedMs, tries }, retryMinutes)).toBe(delayMs);
  },
);
