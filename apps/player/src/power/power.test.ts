import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createSimulatedBattery } from "../drivers/simulated-battery.ts";
import { createSimulatedClockChip } from "../drivers/simulated-clock.ts";
import { createSimulatedPower } from "../drivers/simulated-power.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { createBatteryService } from "./battery.service.ts";
import { powerRoutes } from "./power.routes.ts";
import { createPowerService } from "./power.service.ts";

// 2026-01-01T00:00:00Z
const NEW_YEAR = 1_767_225_600;
const MINUTE = 60_000;

interface World {
  minutes: number;
  reasons: string[];
  next: number | undefined;
  quieted: number;
}

async function setUp({ hasChip = true, canSleep = true } = {}) {
  const clock = createFakeClock();
  const chip = createSimulatedClockChip(clock);
  const manager = createSimulatedPower();
  const simulated = createSimulatedBattery();
  const gauge = {
    ...simulated,
    isBroken: false,
    read: async () => {
      if (gauge.isBroken) throw new Problem("failed", "battery: the gauge does not answer");
      return simulated.read();
    },
  };
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const world: World = { minutes: 0, reasons: [], next: undefined, quieted: 0 };
  const power = createPowerService({
    manager: canSleep ? manager : undefined,
    chip: hasChip ? chip : undefined,
    settings: { get: () => ({ auto_off_minutes: world.minutes }) },
    awakeReasons: () => world.reasons,
    nextWake: () => world.next,
    quiet: () => {
      world.quieted += 1;
    },
    now: () => clock.now().getTime(),
    events,
    clock,
    log: silentLog,
  });
  const battery = createBatteryService({ gauge, events, clock, log: silentLog });
  const app = createTestFrame();
  await app.register(powerRoutes({ battery, power }), { prefix: "/api" });
  const sleep = () => app.inject({ method: "POST", url: "/api/system/sleep" });
  return { clock, chip, manager, gauge, battery, events, emitted, world, power, app, sleep };
}

describe("POST /system/sleep", () => {
  it("answers, saves the position, notifies every client, and sleeps until it is woken", async () => {
    const { clock, manager, emitted, world, sleep } = await setUp();
    const answered = await sleep();
    expect(answered.json()).toEqual({ success: true, wakes_at: null });
    expect([world.quieted, manager.isAsleep()]).toEqual([1, false]);
    await clock.advance(1000);
    expect(manager.isAsleep()).toBe(true);
    manager.wake();
    await clock.advance(0);
    expect(emitted).toEqual([
      { type: "system", data: { phase: "sleeping", wakes_at: null } },
      { type: "system", data: { phase: "awake", wakes_at: null } },
    ]);
  });

  it("sets the chip's alarm shortly before the next schedule, and clears it afterwards", async () => {
    const { clock, chip, manager, world, sleep } = await setUp();
    world.next = NEW_YEAR + 3600;
    expect((await sleep()).json()).toEqual({ success: true, wakes_at: NEW_YEAR + 3600 });
    await clock.advance(1000);
    expect(chip.alarm()).toBe(NEW_YEAR + 3590);
    manager.wake();
    await clock.advance(0);
    expect(chip.alarm()).toBeNull();
  });

  it("stays awake when it would have to wake within seconds", async () => {
    const { clock, chip, manager, world, emitted, sleep } = await setUp();
    world.next = NEW_YEAR + 12;
    await sleep();
    await clock.advance(1000);
    expect([manager.isAsleep(), chip.alarm()]).toEqual([false, null]);
    expect(emitted.at(-1)).toEqual({ type: "system", data: { phase: "awake", wakes_at: null } });
    world.next = NEW_YEAR + 20;
    await sleep();
    await clock.advance(1000);
    expect([manager.isAsleep(), chip.alarm()]).toEqual([true, NEW_YEAR + 10]);
  });

  it("stays awake when something began after the answer, such as an adhan", async () => {
    const { clock, manager, world, emitted, sleep } = await setUp();
    world.reasons = ["dashboard"];
    await sleep();
    await clock.advance(400);
    world.reasons = ["dashboard", "adhan"];
    await clock.advance(600);
    expect(manager.isAsleep()).toBe(false);
    expect(emitted.at(-1)).toEqual({ type: "system", data: { phase: "awake", wakes_at: null } });
    world.reasons = ["dashboard"];
    await sleep();
    await clock.advance(1000);
    expect(manager.isAsleep()).toBe(true);
  });

  it("wakes for a schedule that was made after the answer", async () => {
    const { clock, chip, world, sleep } = await setUp();
    await sleep();
    world.next = NEW_YEAR + 60;
    await clock.advance(1000);
    expect(chip.alarm()).toBe(NEW_YEAR + 50);
  });

  it("announces to wake only by the button when no clock chip is fitted", async () => {
    const { world, sleep } = await setUp({ hasChip: false });
    world.next = NEW_YEAR + 3600;
    expect((await sleep()).json()).toEqual({ success: true, wakes_at: null });
  });

  it("sleeps once on two requests, and again after it was woken", async () => {
    const { clock, manager, emitted, sleep } = await setUp();
    await sleep();
    await sleep();
    await clock.advance(1000);
    manager.wake();
    await clock.advance(1000);
    expect(manager.isAsleep()).toBe(false);
    // Every accepted request emits an event, also one without effect.
    expect(emitted.map(({ data }) => data)).toMatchObject([
      { phase: "sleeping" },
      { phase: "sleeping" },
      { phase: "awake" },
    ]);
    await sleep();
    await clock.advance(1000);
    expect(manager.isAsleep()).toBe(true);
  });

  it("answers 500 on a device that cannot sleep", async () => {
    const { sleep, emitted, power } = await setUp({ canSleep: false });
    expect(power.canSleep()).toBe(false);
    const refused = await sleep();
    expect(refused.statusCode).toBe(500);
    expect(refused.json()).toEqual({ error: "power: this device cannot sleep" });
    expect(emitted).toEqual([]);
  });

  it("answers 500 when the power manager failed to start", async () => {
    const { manager, power, sleep } = await setUp();
    manager.start = () => Promise.reject(new Problem("failed", "power: this device cannot sleep"));
    await expect(power.start()).rejects.toThrow("power: this device cannot sleep");
    expect((await sleep()).statusCode).toBe(500);
  });

  it("reports it when suspending fails, and clears the alarm", async () => {
    const { clock, chip, manager, emitted, world, sleep } = await setUp();
    world.next = NEW_YEAR + 3600;
    manager.suspend = () => Promise.reject(new Problem("failed", "power: the device does not go to sleep"));
    await sleep();
    await clock.advance(1000);
    expect(chip.alarm()).toBeNull();
    expect(emitted.at(-1)).toEqual({
      type: "error",
      data: { code: "power", message: "power: the device does not go to sleep" },
    });
  });
});

describe("auto-off", () => {
  it("sleeps after the idle minutes, and not earlier", async () => {
    const { clock, manager, world, power } = await setUp();
    world.minutes = 10;
    await power.start();
    await clock.advance(10 * MINUTE - 1);
    expect(manager.isAsleep()).toBe(false);
    await clock.advance(10_000);
    expect(manager.isAsleep()).toBe(true);
    expect(world.quieted).toBe(1);
  });

  it("is disabled with 0 minutes, and after the service was closed", async () => {
    const { clock, manager, world, power } = await setUp();
    await power.start();
    await clock.advance(1000 * MINUTE);
    expect(manager.isAsleep()).toBe(false);
    world.minutes = 1;
    power.close();
    await clock.advance(1000 * MINUTE);
    expect(manager.isAsleep()).toBe(false);
  });

  it("starts to count when the last reason to stay awake ends", async () => {
    const { clock, manager, world, power } = await setUp();
    world.minutes = 1;
    world.reasons = ["gap"];
    await power.start();
    await clock.advance(60 * MINUTE);
    world.reasons = [];
    await clock.advance(MINUTE - 5000);
    expect(manager.isAsleep()).toBe(false);
    await clock.advance(15_000);
    expect(manager.isAsleep()).toBe(true);
  });

  it("restarts with every user action, but not with events of the device itself", async () => {
    const { clock, manager, events, world, power } = await setUp();
    world.minutes = 1;
    await power.start();
    await clock.advance(50_000);
    events.emit("volume", { volume: 3 });
    await clock.advance(50_000);
    expect(manager.isAsleep()).toBe(false);
    events.emit("error", { code: "card", message: "card: it is gone" });
    await clock.advance(20_000);
    expect(manager.isAsleep()).toBe(true);
  });

  it("restarts after waking up", async () => {
    const { clock, manager, world, power } = await setUp();
    world.minutes = 5;
    await power.start();
    await clock.advance(6 * MINUTE);
    manager.wake();
    await clock.advance(4 * MINUTE);
    expect(manager.isAsleep()).toBe(false);
    await clock.advance(2 * MINUTE);
    expect(manager.isAsleep()).toBe(true);
  });

  it("counts, but does nothing, on a device that cannot sleep", async () => {
    const { clock, world, power, emitted } = await setUp({ canSleep: false });
    world.minutes = 1;
    await expect(power.start()).rejects.toThrow("power: this device cannot sleep");
    await clock.advance(60 * MINUTE);
    expect([world.quieted, emitted]).toEqual([0, []]);
  });
});

describe("GET /battery", () => {
  it("returns the reading of the gauge, and every client receives changes", async () => {
    const { app, gauge, emitted } = await setUp();
    const read = async () => (await app.inject("/api/battery")).json();
    const full = { present: true, voltage: 4.2, percentage: 100, charging: true };
    expect(await read()).toEqual(full);
    expect(await read()).toEqual(full);
    gauge.become({ percentage: 50, charging: false });
    const half = { present: true, voltage: 3.75, percentage: 50, charging: false };
    expect(await read()).toEqual(half);
    gauge.takeOut();
    const none = { present: false, voltage: 0, percentage: 0, charging: false };
    expect(await read()).toEqual(none);
    expect(emitted).toEqual([full, half, none].map((data) => ({ type: "battery", data })));
  });

  it("returns zeros without a gauge, and 500 when the gauge does not answer", async () => {
    const { clock, events, app, gauge } = await setUp();
    const battery = createBatteryService({ gauge: undefined, events, clock, log: silentLog });
    expect(await battery.read()).toEqual({ present: false, voltage: 0, percentage: 0, charging: false });
    gauge.isBroken = true;
    const refused = await app.inject("/api/battery");
    expect(refused.statusCode).toBe(500);
    expect(refused.json()).toEqual({ error: "battery: the gauge does not answer" });
  });
});

it("the battery is polled on after any error of its gauge", async () => {
  const clock = createFakeClock();
  const events = createEvents();
  let reads = 0;
  const gauge = {
    read: async () => {
      reads += 1;
      if (reads < 4) throw new Error("EIO: i/o error, read");
      return { present: true, voltage: 4, percentage: 50, charging: false };
    },
  };
  const battery = createBatteryService({ gauge, events, clock, log: silentLog });
  await expect(battery.start()).rejects.toThrow("EIO");
  await clock.advance(30_000);
  expect(battery.current()).toMatchObject({ percentage: 50 });
  battery.close();
});

describe("the battery", () => {
  it("the battery is polled continuously, also when its gauge fails for a while", async () => {
    const { clock, gauge, battery, emitted } = await setUp();
    gauge.isBroken = true;
    await expect(battery.start()).rejects.toThrow("battery: the gauge does not answer");
    await clock.advance(MINUTE);
    gauge.isBroken = false;
    await clock.advance(MINUTE);
    expect(emitted).toEqual([
      { type: "battery", data: { present: true, voltage: 4.2, percentage: 100, charging: true } },
    ]);
    battery.close();
    gauge.become({ percentage: 1, charging: false });
    await clock.advance(MINUTE);
    expect(battery.current()).toMatchObject({ percentage: 100 });
  });

  it.each([
    [19, false, "battery: 19 % left"],
    [20, false, undefined],
    [19, true, undefined],
  ])("warns at %i %% and charging %s with %j", async (percentage, charging, warning) => {
    const { gauge, battery } = await setUp();
    gauge.become({ percentage, charging });
    await battery.read();
    expect(battery.warning()).toBe(warning);
  });
});
