import { createFakeClock } from "@kit/clock/fake";
import { expect, it } from "vitest";
import { createPress } from "../pairing/press.ts";

function setUp() {
  const clock = createFakeClock();
  const seen: string[] = [];
  const note = (what: string) => () => void seen.push(what);
  const press = createPress(clock, {
    short: note("short"),
    long: note("long"),
    warn: note("warn"),
    erase: note("erase"),
    faulty: note("faulty"),
  });
  const hold = async (ms: number) => {
    press.down();
    await clock.advance(ms);
    press.up();
    await clock.advance(100);
  };
  return { clock, seen, press, hold };
}

it.each([
  [10, ["short"]],
  [1999, ["short"]],
  [2000, ["long"]],
  [4999, ["long"]],
  [5000, ["long", "warn"]],
  [9999, ["long", "warn"]],
  [10_000, ["long", "warn", "erase"]],
  [19_999, ["long", "warn", "erase"]],
  [20_000, ["long", "warn", "faulty"]],
  [3_600_000, ["long", "warn", "faulty"]],
])("makes of a key that is held for %i ms: %j", async (ms, expected) => {
  const { seen, hold } = setUp();
  await hold(ms);
  expect(seen).toEqual(expected);
});

it("works again after a key that was stuck is released", async () => {
  const { seen, hold } = setUp();
  await hold(60_000);
  await hold(100);
  expect(seen).toEqual(["long", "warn", "faulty", "short"]);
});

it("counts down to the erasure, and then waits for the release", async () => {
  const { clock, press } = setUp();
  press.down();
  await clock.advance(4999);
  expect(press.hold()).toBeUndefined();
  await clock.advance(1);
  expect(press.hold()).toEqual({ phase: "warning", left_s: 5 });
  await clock.advance(4001);
  expect(press.hold()).toEqual({ phase: "warning", left_s: 1 });
  await clock.advance(999);
  expect(press.hold()).toEqual({ phase: "armed", left_s: 0 });
  await clock.advance(10_000);
  expect(press.hold()).toBeUndefined();
});

it("takes contacts that bounce as one press", async () => {
  const { clock, seen, press } = setUp();
  for (let count = 0; count < 8; count += 1) {
    press.down();
    await clock.advance(3);
    press.up();
    await clock.advance(2);
  }
  await clock.advance(100);
  expect(seen).toEqual(["short"]);
});

it("keeps the length of a press whose contacts bounce in the middle", async () => {
  const { clock, seen, press } = setUp();
  press.down();
  await clock.advance(1990);
  press.up();
  await clock.advance(20);
  press.down();
  await clock.advance(20);
  expect(seen).toEqual(["long"]);
  press.up();
  await clock.advance(100);
  expect(seen).toEqual(["long"]);
});

it("erases nothing with a key that chatters, however long", async () => {
  const { clock, seen, press } = setUp();
  for (let ms = 0; ms < 12_000; ms += 40) {
    press.down();
    await clock.advance(20);
    press.up();
    await clock.advance(20);
  }
  await clock.advance(100);
  expect(seen).toEqual(["faulty"]);
});

it.each([100, 3000, 12_000])("does nothing when the key disappears after %i ms", async (ms) => {
  const { clock, seen, press } = setUp();
  press.down();
  await clock.advance(ms);
  const before = [...seen];
  press.cancel();
  press.up();
  await clock.advance(60_000);
  expect(seen).toEqual(before);
  expect(seen).not.toContain("erase");
});
