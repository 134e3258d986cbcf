import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { createCopiesService } from "./copies.service.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function setUp(writeCopy: () => void = () => undefined) {
  const clock = createFakeClock();
  const steps: string[] = [];
  const copies = createCopiesService({
    database: {
      writeCopy() {
        steps.push("copy");
        writeCopy();
      },
      forgetFormerVersion: () => void steps.push("forget"),
    },
    clock,
    log: silentLog,
  });
  copies.start();
  return { clock, steps, copies };
}

it("copies the database when the version has run for ten minutes, then every day, and at the stop", async () => {
  const { clock, steps, copies } = setUp();
  await clock.advance(10 * MINUTE - 1);
  expect(steps).toEqual([]);
  await clock.advance(1);
  expect(steps).toEqual(["forget", "copy"]);
  await clock.advance(DAY);
  expect(steps).toEqual(["forget", "copy", "forget", "copy"]);
  copies.close();
  expect(steps.at(-1)).toBe("copy");
  await clock.advance(2 * DAY);
  expect(steps).toHaveLength(5);
});

it("tries again on the next day when the storage is full", async () => {
  const { clock, steps, copies } = setUp(() => {
    throw new Problem("failed", "storage: the device's storage is full");
  });
  await clock.advance(10 * MINUTE + DAY);
  expect(steps).toEqual(["forget", "copy", "forget", "copy"]);
  expect(() => copies.close()).not.toThrow();
});
