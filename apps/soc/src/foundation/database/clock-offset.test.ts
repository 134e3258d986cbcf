import { silentLog } from "@kit/log/silent";
import { expect, it } from "vitest";
import { createClockOffset } from "./clock-offset.ts";

/** A clock whose wall time and monotonic time can be set independently. */
function createTwoClocks() {
  const time = { wallMs: Date.UTC(2026, 10, 18), monotonicMs: 0 };
  const clock = { now: () => new Date(time.wallMs), monotonicMs: () => time.monotonicMs };
  const pass = (ms: number) => {
    time.wallMs += ms;
    time.monotonicMs += ms;
  };
  return { time, clock, pass };
}

it.each([
  ["in the middle of the way", 50, 0],
  ["at its end, however long it took", 100, 0],
  ["900 ms after the answer", 1000, -900],
  ["900 ms before the question", -900, 900],
])("computes the offset of a database that read its clock %s", (_when, databaseMs, offsetMs) => {
  const { clock, pass } = createTwoClocks();
  const offset = createClockOffset(clock, silentLog);
  expect(offset.readMs()).toBeUndefined();
  const sentAt = clock.now();
  pass(100);
  offset.measure(sentAt, new Date(sentAt.getTime() + databaseMs));
  expect(offset.readMs()).toBe(offsetMs);
});

it("detects a clock change before the next response of the database", () => {
  const { clock, time, pass } = createTwoClocks();
  const offset = createClockOffset(clock, silentLog);
  offset.measure(clock.now(), clock.now());
  pass(60_000);
  expect(offset.readMs()).toBe(0);
  time.wallMs += 300_000;
  expect(offset.readMs()).toBe(300_000);
  time.wallMs -= 302_000;
  expect(offset.readMs()).toBe(-2000);
});
