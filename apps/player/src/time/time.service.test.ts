import { createFakeClock } from "@kit/clock/fake";
import { invalidField, Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { createSimulatedClockChip, createSimulatedSystemClock } from "../drivers/simulated-clock.ts";
import { createTimeService } from "./time.service.ts";

const NOON = new Date("2026-11-15T12:00:00Z");
const NEW_YORK = "EST5EDT,M3.2.0,M11.1.0";

const seconds = (iso: string) => Date.parse(iso) / 1000;

function setUp({ rule = "UTC0", hasServers = false, isFitted = true } = {}) {
  const clock = createFakeClock(NOON);
  const servers = { areReachable: hasServers };
  const system = createSimulatedSystemClock({ clock, hasServers: () => servers.areReachable });
  const chip = createSimulatedClockChip(clock);
  const setting = { rule, isFull: false };
  const warnings: object[] = [];
  const start = () =>
    createTimeService({
      system,
      chip: isFitted ? chip : undefined,
      timezone: {
        get: () => setting.rule,
        set: (changed) => {
          if (setting.isFull) throw new Problem("failed", "storage: full");
          setting.rule = changed;
        },
      },
      clock,
      log: { warn: (fields: object) => warnings.push(fields) },
    });
  const time = start();
  const notified: string[] = [];
  const stopListening = time.onChange(() => notified.push(time.source()));
  return { clock, servers, system, chip, setting, warnings, time, notified, stopListening, restart: start };
}

/** A machine that starts with a wrong clock, in 1970. */
async function mistake({ system, chip }: ReturnType<typeof setUp>, chipS: number): Promise<void> {
  await chip.write(chipS);
  await system.allowServers(false);
  await system.set(0);
  await system.allowServers(true);
}

describe("the source of the time", () => {
  it("the source of the time is none at first: no action may use the clock", async () => {
    const { time } = setUp();
    expect(time.source()).toBe("none");
    expect(time.isValid()).toBe(false);
  });

  it("the source of the time is none without a chip and without time servers, whatever the system clock shows", async () => {
    const { time, clock } = setUp({ isFitted: false });
    await time.start();
    await clock.advance(60_000);
    expect(time.source()).toBe("none");
    expect(time.isValid()).toBe(false);
    expect(time.temperature()).toBeUndefined();
  });

  it("the source of the time is the chip, which also sets the system clock", async () => {
    const world = setUp();
    await mistake(world, seconds("2026-11-15T15:30:00Z"));
    await world.time.start();
    expect(world.time.source()).toBe("rtc");
    expect(world.time.isValid()).toBe(true);
    expect(world.time.now()).toBe(Date.parse("2026-11-15T15:30:00Z"));
    expect(world.notified).toEqual(["rtc"]);
  });

  it.each([
    ["1970-01-01T00:00:05Z", "none"],
    ["2000-01-01T00:00:00Z", "none"],
    ["2023-12-31T23:59:59Z", "none"],
    ["2024-01-01T00:00:00Z", "rtc"],
    ["2099-12-31T23:59:59Z", "rtc"],
    ["2100-01-01T00:00:00Z", "none"],
  ])("the source of the time with a chip that shows %s is %s", async (shown, source) => {
    const world = setUp();
    await mistake(world, seconds(shown));
    await world.time.start();
    expect(world.time.source()).toBe(source);
    expect(world.time.now()).toBe(source === "rtc" ? Date.parse(shown) : 0);
  });

  it("the source of the time is a time server when one has already set the clock, and the chip is set, too", async () => {
    const { time, system, chip, notified } = setUp({ hasServers: true });
    await chip.write(seconds("2026-11-15T09:00:00Z"));
    system.set = () => Promise.reject(new Error("must not be set"));
    await time.start();
    expect(time.source()).toBe("sntp");
    expect(time.now()).toBe(NOON.getTime());
    expect(await chip.read()).toMatchObject({ epochS: seconds("2026-11-15T12:00:00Z") });
    expect(notified.at(-1)).toBe("sntp");
  });

  it.each([
    ["with a chip", true, "rtc"],
    ["without a chip", false, "none"],
  ])("becomes a time server within ten seconds of its answer, %s", async (_name, isFitted, before) => {
    const { time, clock, servers, notified } = setUp({ isFitted });
    await time.start();
    await clock.advance(60_000);
    expect(time.source()).toBe(before);
    servers.areReachable = true;
    await clock.advance(10_000);
    expect(time.source()).toBe("sntp");
    expect(time.isValid()).toBe(true);
    expect(notified).toEqual([before, "sntp"]);
  });

  it("the source of the time is manual after a user set it, also with reachable time servers, until the next start", async () => {
    const { time, clock, chip, notified, restart } = setUp({ hasServers: true });
    await time.start();
    await time.setTime(seconds("2030-05-06T07:08:09Z"));
    expect(time.source()).toBe("manual");
    expect(time.now()).toBe(Date.parse("2030-05-06T07:08:09Z"));
    expect(await chip.read()).toMatchObject({ epochS: seconds("2030-05-06T07:08:09Z") });
    expect(notified.at(-1)).toBe("manual");
    await clock.advance(60_000);
    expect(time.source()).toBe("manual");
    expect(time.now()).toBe(Date.parse("2030-05-06T07:09:09Z"));
    expect(notified.filter((source) => source === "manual")).toHaveLength(1);
    const again = restart();
    await again.start();
    expect(again.source()).toBe("sntp");
    expect(again.now()).toBe(NOON.getTime() + 60_000);
  });

  it("accepts the time that a clock already shows when it cannot be set, as in a container", async () => {
    const { time, system, warnings } = setUp({ isFitted: false });
    system.set = () => Promise.reject(new Problem("failed", "system clock: it cannot be set"));
    await time.start();
    await expect(time.setTime(seconds("2026-11-15T12:00:03Z"))).rejects.toMatchObject({ kind: "failed" });
    expect(time.source()).toBe("none");
    await time.setTime(seconds("2026-11-15T12:00:01Z"));
    expect(time.source()).toBe("manual");
    expect(time.isValid()).toBe(true);
    expect(time.now()).toBe(NOON.getTime());
    expect(warnings).toEqual([{ error: "system clock: it cannot be set" }]);
  });

  it("the source of the time is polled until a time server has answered, and not afterwards", async () => {
    const { time, clock, system, servers } = setUp();
    const isSynchronised = system.isSynchronised.bind(system);
    let asked = 0;
    system.isSynchronised = () => {
      asked += 1;
      return isSynchronised();
    };
    await time.start();
    await clock.advance(30_000);
    expect(asked).toBe(5);
    servers.areReachable = true;
    await clock.advance(60_000);
    expect(asked).toBe(6);
  });

  it("the source of the time is manual also when a time server answers at the same moment", async () => {
    const { time, clock, system } = setUp();
    await time.start();
    let answer: (isSynchronised: boolean) => void = () => undefined;
    system.isSynchronised = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    await clock.advance(10_000);
    await time.setTime(1_800_000_000);
    answer(true);
    await clock.advance(1000);
    expect(time.source()).toBe("manual");
  });

  it("the source of the time is the chip again when the system clock cannot be read, and logs it once", async () => {
    const { time, clock, system, warnings } = setUp();
    system.isSynchronised = () => Promise.reject(new Problem("failed", "system clock: gone"));
    await time.start();
    await clock.advance(60_000);
    expect(time.source()).toBe("rtc");
    expect(warnings).toEqual([{ error: "system clock: gone" }]);
  });

  it("the source of the time is none when the system clock is wrong and cannot be set from the chip", async () => {
    const world = setUp();
    await mistake(world, seconds("2026-11-15T15:30:00Z"));
    world.system.set = () => Promise.reject(new Problem("failed", "system clock: refused"));
    await world.time.start();
    expect(world.time.source()).toBe("none");
    expect(world.warnings).toEqual([{ error: "system clock: refused" }]);
  });
});

describe("setting the time", () => {
  it.each([0, -1, seconds("2023-12-31T23:59:59Z"), seconds("2100-01-01T00:00:00Z"), 1_800_000_000.5, Number.NaN])(
    "to %d is refused and changes nothing",
    async (epochS) => {
      const { time, notified } = setUp();
      await time.start();
      await expect(time.setTime(epochS)).rejects.toEqual(
        invalidField("epoch", "must be an integer from 1704067200 to 4102444799"),
      );
      expect(time.source()).toBe("rtc");
      expect(time.now()).toBe(NOON.getTime());
      expect(notified).toEqual(["rtc"]);
    },
  );

  it("changes nothing when the system refuses it", async () => {
    const { time, system, notified } = setUp();
    await time.start();
    system.set = () => Promise.reject(new Problem("failed", "system clock: refused"));
    await expect(time.setTime(1_800_000_000)).rejects.toThrow("system clock: refused");
    expect(time.source()).toBe("rtc");
    expect(notified).toEqual(["rtc"]);
  });

  it("rejects when the chip refuses it, although the system is set", async () => {
    const { time, chip } = setUp();
    await time.start();
    chip.write = () => Promise.reject(new Problem("failed", "clock chip: refused"));
    await expect(time.setTime(1_800_000_000)).rejects.toThrow("clock chip: refused");
    expect(time.source()).toBe("manual");
    expect(time.now()).toBe(1_800_000_000_000);
  });
});

describe("a jump of the clock", () => {
  it.each([
    ["forward", "2026-11-15T12:10:02.500Z"],
    ["back", "2026-11-15T12:09:57Z"],
    ["by years", "2031-01-01T00:00:00Z"],
  ])("%s notifies listeners once, within a second", async (_name, to) => {
    const { time, clock, notified } = setUp();
    await time.start();
    await clock.advance(600_000);
    expect(notified).toHaveLength(1);
    clock.jumpTo(new Date(to));
    await clock.advance(1000);
    expect(notified).toHaveLength(2);
    await clock.advance(60_000);
    expect(notified).toHaveLength(2);
  });

  it("a jump of the clock of two seconds or less is ignored, however often", async () => {
    const { time, clock, notified } = setUp();
    await time.start();
    for (let step = 0; step < 100; step += 1) {
      clock.jumpTo(new Date(clock.now().getTime() + 2000));
      await clock.advance(1000);
    }
    expect(notified).toHaveLength(1);
  });

  it("a jump of the clock by a time server shows the new source immediately", async () => {
    const { time, clock, servers } = setUp();
    await time.start();
    servers.areReachable = true;
    clock.jumpTo(new Date("2026-11-15T18:00:00Z"));
    await clock.advance(1000);
    expect(time.source()).toBe("sntp");
  });

  it("notifies no listener that was removed, and none after close", async () => {
    const { time, clock, notified, stopListening } = setUp();
    await time.start();
    stopListening();
    clock.jumpTo(new Date("2027-01-01T00:00:00Z"));
    await clock.advance(1000);
    expect(notified).toHaveLength(1);
    time.onChange(() => notified.push("again"));
    time.close();
    clock.jumpTo(new Date("2028-01-01T00:00:00Z"));
    await clock.advance(5000);
    expect(notified).toHaveLength(1);
  });

  it("a jump of the clock is not watched by a service that was closed while it started", async () => {
    const { time, clock, notified } = setUp();
    const started = time.start();
    time.close();
    await started;
    clock.jumpTo(new Date("2028-01-01T00:00:00Z"));
    await clock.advance(5000);
    expect(notified).toHaveLength(1);
  });
});

describe("the zone", () => {
  it("gives the local date", async () => {
    const { time, clock } = setUp({ rule: NEW_YORK });
    clock.jumpTo(new Date("2026-03-01T04:59:59Z"));
    expect(time.today()).toBe("2026-02-28");
    clock.jumpTo(new Date("2026-03-01T05:00:00Z"));
    expect(time.today()).toBe("2026-03-01");
  });

  it("the zone is saved before it takes effect, and notifies listeners", async () => {
    const { time, setting, notified } = setUp();
    time.setZone(NEW_YORK);
    expect(setting.rule).toBe(NEW_YORK);
    expect(time.zone().rule).toBe(NEW_YORK);
    expect(notified).toHaveLength(1);
    setting.isFull = true;
    expect(() => time.setZone("PKT-5")).toThrow("storage: full");
    expect(time.zone().rule).toBe(NEW_YORK);
    expect(notified).toHaveLength(1);
  });

  it("stays unchanged when another one is refused", async () => {
    const { time, setting, notified } = setUp({ rule: NEW_YORK });
    expect(() => time.setZone("EST5EDT")).toThrow(/^timezone: /);
    expect(setting.rule).toBe(NEW_YORK);
    expect(time.zone().rule).toBe(NEW_YORK);
    expect(notified).toEqual([]);
  });

  it("follows a setting that a reset or a backup replaced, and notifies within a second", async () => {
    const { time, clock, setting, notified } = setUp({ rule: NEW_YORK });
    await time.start();
    setting.rule = "PKT-5";
    expect(time.zone().rule).toBe("PKT-5");
    await clock.advance(1000);
    expect(notified).toHaveLength(2);
    await clock.advance(5000);
    expect(notified).toHaveLength(2);
  });

  it("the zone is UTC when the stored one is invalid, and logs it", async () => {
    const { time, warnings } = setUp({ rule: "garbage" });
    expect(time.zone().rule).toBe("UTC0");
    expect(time.today()).toBe("2026-11-15");
    expect(warnings).toEqual([{ timezone: "garbage" }]);
  });
});

it("returns the temperature of the chip, at most ten seconds old", async () => {
  const { time, clock, chip } = setUp();
  await time.start();
  expect(time.temperature()).toBe(24.25);
  chip.read = async () => ({ epochS: seconds("2026-11-15T12:00:10Z"), temperature: 31 });
  await clock.advance(10_000);
  expect(time.temperature()).toBe(31);
});
