import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeClockChip } from "../../testing/clock-chip.contract.ts";
import { describeSystemClock } from "../../testing/system-clock.contract.ts";
import { startTimedated, type Timedated } from "../../testing/timedated.ts";
import type { ClockChip } from "../time/clock-chip.ts";
import { createBus } from "./dbus.ts";
import { createLinuxSystemClock, findLinuxClockChip } from "./linux-clock.ts";

/** Reads the date as the real hwclock does, and writes it where the kernel would show it. */
const buildHwclockScript = (rtc: string) => `#!/bin/sh
for each; do case $each in --date=*) date=$each;; --rtc=*) echo "$each" >"${rtc}/device/asked";; esac; done
shown=$(/usr/sbin/hwclock --utc --noadjfile --predict "$date") || exit 1
/bin/date --date="$shown" +%s >"${rtc}/since_epoch"
`;

/** The files of the kernel for a DS3231 (Documentation/ABI/testing/sysfs-class-rtc, hwmon/sysfs-interface). */
async function makeChip() {
  const folder = await mkdtemp(join(tmpdir(), "linux-clock-"));
  const rtc = join(folder, "sys/class/rtc/rtc0");
  await mkdir(join(rtc, "device/hwmon/hwmon3"), { recursive: true });
  await writeFile(join(rtc, "since_epoch"), "1794700800\n");
  await writeFile(join(rtc, "wakealarm"), "");
  await writeFile(join(rtc, "device/hwmon/hwmon3/temp1_input"), "24250\n");
  const hwclock = join(folder, "hwclock");
  await writeFile(hwclock, buildHwclockScript(rtc));
  await chmod(hwclock, 0o755);
  return {
    rtc,
    hwclock,
    find: () => findLinuxClockChip({ sysfs: join(folder, "sys"), hwclock }),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function makeChipForTest() {
  const bench = await makeChip();
  onTestFinished(bench.remove);
  const chip = await bench.find();
  return { ...bench, chip: chip ?? expect.fail("no chip was found") };
}

describeClockChip("clock chip of Linux", async () => {
  const { rtc, find, remove } = await makeChip();
  const chip: ClockChip = (await find()) ?? expect.fail("no chip was found");
  const alarm = async () => {
    const text = await readFile(join(rtc, "wakealarm"), "utf8");
    return text === "0\n" ? null : Number(text);
  };
  return { chip, alarm, remove };
});

describe("clock chip of Linux", () => {
  it("is undefined when the kernel lists none", async () => {
    expect(await findLinuxClockChip({ sysfs: "/nowhere", hwclock: "hwclock" })).toBeUndefined();
  });

  it("reads the time and the temperature from the kernel's files", async () => {
    const { chip } = await makeChipForTest();
    expect(await chip.read()).toEqual({ epochS: 1_794_700_800, temperature: 24.25 });
  });

  it("has no temperature without a thermometer", async () => {
    const { chip, rtc } = await makeChipForTest();
    await rm(join(rtc, "device"), { recursive: true });
    expect(await chip.read()).toEqual({ epochS: 1_794_700_800 });
  });

  it.each(["", "\n", "soon\n", "1e9\n"])("has no time when the kernel shows %j", async (text) => {
    const { chip, rtc } = await makeChipForTest();
    await writeFile(join(rtc, "since_epoch"), text);
    expect(await chip.read()).toBeUndefined();
  });

  it("has no time when the kernel refuses to show it", async () => {
    const { chip, rtc } = await makeChipForTest();
    await rm(join(rtc, "since_epoch"));
    await mkdir(join(rtc, "since_epoch"));
    expect(await chip.read()).toBeUndefined();
  });

  it("is written through its own device, in UTC", async () => {
    const { chip, rtc } = await makeChipForTest();
    await chip.write(Date.parse("2026-07-01T12:34:56Z") / 1000);
    expect(await readFile(join(rtc, "since_epoch"), "utf8")).toBe(`${Date.parse("2026-07-01T12:34:56Z") / 1000}\n`);
    expect(await readFile(join(rtc, "device/asked"), "utf8")).toBe("--rtc=/dev/rtc0\n");
  });

  it("is not written when it shows the time already, because timedated has set it", async () => {
    const { chip, hwclock } = await makeChipForTest();
    await writeFile(hwclock, "#!/bin/sh\nexit 1\n");
    await chip.write(1_794_700_801);
    await expect(chip.write(1_794_700_802)).rejects.toThrow("clock chip: it cannot be set");
  });

  it.each([
    ["fails", "#!/bin/sh\nexit 1\n"],
    ["cannot be run", "no program"],
  ])("rejects when hwclock %s", async (_name, program) => {
    const { chip, hwclock } = await makeChipForTest();
    await writeFile(hwclock, program);
    await expect(chip.write(1_800_000_000)).rejects.toMatchObject({
      kind: "failed",
      message: "clock chip: it cannot be set",
    });
  });

  it("clears the alarm before it sets one, because the kernel refuses a second alarm", async () => {
    const { chip, rtc } = await makeChipForTest();
    await rm(join(rtc, "wakealarm"));
    await promisify(execFile)("mkfifo", [join(rtc, "wakealarm")]);
    const kernel = await open(join(rtc, "wakealarm"), "r+");
    await chip.setAlarm(1_800_000_000);
    const { buffer, bytesRead } = await kernel.read();
    await kernel.close();
    expect(buffer.toString("utf8", 0, bytesRead)).toBe("0\n1800000000\n");
  });

  it("rejects when it has no alarm", async () => {
    const { chip, rtc } = await makeChipForTest();
    await rm(join(rtc, "wakealarm"));
    await mkdir(join(rtc, "wakealarm"));
    await expect(chip.setAlarm(null)).rejects.toMatchObject({
      kind: "failed",
      message: "clock chip: its alarm cannot be set",
    });
  });
});

const systemOn = ({ bus }: Pick<Timedated, "bus">) => createLinuxSystemClock({ bus, clock: createClock() });

describeSystemClock("system clock of Linux", async () => {
  const timedated = await startTimedated();
  return { ...timedated, system: systemOn(timedated) };
});

describe("system clock of Linux", () => {
  async function start(properties?: Record<string, boolean>) {
    const timedated = await startTimedated(properties);
    onTestFinished(timedated.remove);
    return { ...timedated, system: systemOn(timedated) };
  }

  it("shows the time of the machine", async () => {
    const before = createClock().now().getTime();
    const system = systemOn({ bus: createBus({ address: "unix:path=/nowhere", clock: createClock() }) });
    expect(system.now() - before).toBeLessThan(5000);
    expect(system.now()).toBeGreaterThanOrEqual(before);
  });

  it("calls without a password prompt, in absolute microseconds", async () => {
    const { system, calls } = await start();
    await system.allowServers(false);
    await system.set(1_800_000_000);
    await system.allowServers(true);
    expect(await calls()).toEqual([
      ["SetNTP", false, false],
      ["SetTime", 1_800_000_000_000_000, false, false],
      ["SetNTP", true, false],
    ]);
  });

  it("ignores time servers on a system that has none", async () => {
    const { system, calls } = await start({ NTP: false, CanNTP: false });
    await system.allowServers(true);
    await system.allowServers(false);
    expect(await system.isSynchronised()).toBe(false);
    expect(await calls()).toEqual([]);
  });

  it("names the failed operation when timedated is gone", async () => {
    const { system, end } = await start();
    await end();
    await expect(system.isSynchronised()).rejects.toBeInstanceOf(Problem);
    await expect(system.allowServers(false)).rejects.toMatchObject({ kind: "failed" });
    await expect(system.set(1_800_000_000)).rejects.toMatchObject({
      kind: "failed",
      message: "system clock: it cannot be set",
    });
  });

  it("names the failed operation without a bus", async () => {
    const system = systemOn({ bus: createBus({ address: "unix:path=/nowhere", clock: createClock() }) });
    await expect(system.set(1_800_000_000)).rejects.toMatchObject({
      kind: "failed",
      message: "system clock: it cannot be set",
    });
  });
});
