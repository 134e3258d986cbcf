import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { expect, it } from "vitest";
import { describeClockChip } from "../../testing/clock-chip.contract.ts";
import { describeSystemClock } from "../../testing/system-clock.contract.ts";
import { createSimulatedClockChip, createSimulatedSystemClock } from "./simulated-clock.ts";

const nothing = async () => undefined;

describeClockChip("simulated clock chip", async () => {
  const chip = createSimulatedClockChip(createClock());
  return { chip, alarm: async () => chip.alarm(), remove: nothing };
});

describeSystemClock("simulated system clock", async () => {
  const system = createSimulatedSystemClock({ clock: createFakeClock(), hasServers: () => true });
  return { system, shown: async () => system.now() / 1000, remove: nothing };
});

it("leaves the given clock unchanged and runs at the same speed", async () => {
  const clock = createFakeClock(new Date("2026-01-01T00:00:00Z"));
  const system = createSimulatedSystemClock({ clock, hasServers: () => false });
  await system.allowServers(false);
  await system.set(1_800_000_000);
  await clock.advance(1500);
  expect(system.now()).toBe(1_800_000_001_500);
  expect(clock.now()).toEqual(new Date("2026-01-01T00:00:01.500Z"));
});

it("has a chip that keeps its time when the system clock jumps", async () => {
  const clock = createFakeClock(new Date("2026-01-01T00:00:00Z"));
  const chip = createSimulatedClockChip(clock);
  clock.jumpTo(new Date("1970-01-01T00:00:00Z"));
  await clock.advance(61_000);
  expect(await chip.read()).toMatchObject({ epochS: Date.parse("2026-01-01T00:01:01Z") / 1000 });
});
