import { createFakeClock } from "@kit/clock/fake";
import { expect, it } from "vitest";
import { createIngestWatermark } from "./ingest-watermark.ts";

const NOON = new Date("2026-06-01T12:00:00.000Z");
const at = (ms: number) => new Date(NOON.getTime() + ms);

it("follows the clock while nothing is stored, and stops at a running insert until it ends", async () => {
  const clock = createFakeClock(NOON);
  const ingestWatermark = createIngestWatermark(clock);
  expect(ingestWatermark.watermark()).toEqual(NOON);
  await clock.advance(100);
  const stamp = ingestWatermark.begin();
  expect(stamp).toEqual(at(100));
  await clock.advance(5000);
  expect(ingestWatermark.watermark()).toEqual(at(100));
  ingestWatermark.end(stamp);
  expect(ingestWatermark.watermark()).toEqual(at(5100));
});

it("never assigns a time below its published watermark, even if the clock is set back", async () => {
  const clock = createFakeClock(NOON);
  const ingestWatermark = createIngestWatermark(clock);
  await clock.advance(1000);
  const watermark = ingestWatermark.watermark();
  clock.jumpTo(at(-3_600_000));
  const stamp = ingestWatermark.begin();
  expect(stamp.getTime()).toBeGreaterThanOrEqual(watermark.getTime());
  ingestWatermark.end(stamp);
  expect(ingestWatermark.watermark().getTime()).toBeGreaterThanOrEqual(watermark.getTime());
});

it("assigns different times to two inserts within one millisecond", () => {
  const ingestWatermark = createIngestWatermark(createFakeClock(NOON));
  const first = ingestWatermark.begin();
  ingestWatermark.end(first);
  expect(ingestWatermark.begin()).toEqual(new Date(first.getTime() + 1));
});

it("stops at an unacknowledged insert as long as it may still take effect", async () => {
  const clock = createFakeClock(NOON);
  const ingestWatermark = createIngestWatermark(clock);
  ingestWatermark.fail(ingestWatermark.begin(), 70_000);
  await clock.advance(69_999);
  expect(ingestWatermark.watermark()).toEqual(NOON);
  await clock.advance(2);
  expect(ingestWatermark.watermark()).toEqual(at(70_001));
});

it("continues from the watermark of an earlier process", () => {
  const ingestWatermark = createIngestWatermark(createFakeClock(NOON));
  ingestWatermark.raise(at(500));
  expect(ingestWatermark.begin()).toEqual(at(500));
});

it("stops at the earliest of several inserts, whichever ends first", async () => {
  const clock = createFakeClock(NOON);
  const ingestWatermark = createIngestWatermark(clock);
  const first = ingestWatermark.begin();
  await clock.advance(100);
  const second = ingestWatermark.begin();
  await clock.advance(100);
  ingestWatermark.end(second);
  expect(ingestWatermark.watermark()).toEqual(first);
  const third = ingestWatermark.begin();
  ingestWatermark.end(first);
  expect(ingestWatermark.watermark()).toEqual(third);
  ingestWatermark.end(third);
  expect(ingestWatermark.watermark()).toEqual(at(201));
});
