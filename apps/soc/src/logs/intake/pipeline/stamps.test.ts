import { createFakeClock } from "@kit/clock/fake";
import { expect, it } from "vitest";
import { createStamps } from "./stamps.ts";

const NOON = new Date("2026-06-01T12:00:00.000Z");
const at = (ms: number) => new Date(NOON.getTime() + ms);

it("tells the time while nothing is stored, and stands still at an insert until that has ended", async () => {
  const clock = createFakeClock(NOON);
  const stamps = createStamps(clock);
  expect(stamps.watermark()).toEqual(NOON);
  await clock.advance(100);
  const stamp = stamps.begin();
  expect(stamp).toEqual(at(100));
  await clock.advance(5000);
  expect(stamps.watermark()).toEqual(at(100));
  stamps.end(stamp);
  expect(stamps.watermark()).toEqual(at(5100));
});

it("never stamps below what it has told, though the clock is set back", async () => {
  const clock = createFakeClock(NOON);
  const stamps = createStamps(clock);
  await clock.advance(1000);
  const told = stamps.watermark();
  clock.jumpTo(at(-3_600_000));
  const stamp = stamps.begin();
  expect(stamp.getTime()).toBeGreaterThanOrEqual(told.getTime());
  stamps.end(stamp);
  expect(stamps.watermark().getTime()).toBeGreaterThanOrEqual(told.getTime());
});

it("stamps two inserts within one millisecond apart", () => {
  const stamps = createStamps(createFakeClock(NOON));
  const first = stamps.begin();
  stamps.end(first);
  expect(stamps.begin()).toEqual(new Date(first.getTime() + 1));
});

it("stands still at an insert without an answer for as long as that may still happen", async () => {
  const clock = createFakeClock(NOON);
  const stamps = createStamps(clock);
  stamps.fail(stamps.begin(), 70_000);
  await clock.advance(69_999);
  expect(stamps.watermark()).toEqual(NOON);
  await clock.advance(2);
  expect(stamps.watermark()).toEqual(at(70_001));
});

it("goes on from what an earlier process told", () => {
  const stamps = createStamps(createFakeClock(NOON));
  stamps.raise(at(500));
  expect(stamps.begin()).toEqual(at(500));
});

it("waits below an insert that the writer before it had begun, for as long as that may still happen", async () => {
  const clock = createFakeClock(NOON);
  const stamps = createStamps(clock);
  stamps.raise(at(-100));
  stamps.doubt(at(-50), 70_000);
  expect(stamps.watermark()).toEqual(at(-50));
  const stamp = stamps.begin();
  expect(stamp).toEqual(NOON);
  stamps.end(stamp);
  await clock.advance(69_999);
  expect(stamps.watermark()).toEqual(at(-50));
  await clock.advance(1);
  expect(stamps.watermark()).toEqual(at(70_000));
});

it("stands still at the earliest of several inserts, whichever ends first", async () => {
  const clock = createFakeClock(NOON);
  const stamps = createStamps(clock);
  const first = stamps.begin();
  await clock.advance(100);
  const second = stamps.begin();
  await clock.advance(100);
  stamps.end(second);
  expect(stamps.watermark()).toEqual(first);
  const third = stamps.begin();
  stamps.end(first);
  expect(stamps.watermark()).toEqual(third);
  stamps.end(third);
  expect(stamps.watermark()).toEqual(at(201));
});
