import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import Type from "typebox";
import type { ChipReading, ClockChip } from "../time/clock-chip.ts";
import type { SystemClock } from "../time/system-clock.ts";
import { Anything, type Bus } from "./dbus.ts";

export interface LinuxClockChipDeps {
  /** The folder in which the kernel exposes its devices: /sys. */
  sysfs: string;
  /** The hwclock program of util-linux. */
  hwclock: string;
}

export interface LinuxSystemClockDeps {
  bus: Pick<Bus, "call" | "property">;
  clock: Pick<Clock, "now">;
}

const run = promisify(execFile);
const WRITE_TIMEOUT_MS = 10_000;
const MAX_DIFFERENCE_S = 1;
const TIMEDATED = {
  destination: "org.freedesktop.timedate1",
  path: "/org/freedesktop/timedate1",
  interface: "org.freedesktop.timedate1",
};

/** The first clock chip that the kernel lists; undefined when none is fitted. */
export async function findLinuxClockChip({ sysfs, hwclock }: LinuxClockChipDeps): Promise<ClockChip | undefined> {
  const folder = join(sysfs, "class/rtc/rtc0");
  if ((await namesIn(folder)).length === 0) return undefined;

  async function setWakeAlarm(text: string): Promise<void> {
    try {
      await writeFile(join(folder, "wakealarm"), `${text}\n`);
    } catch (cause) {
      throw new Problem("failed", "clock chip: its alarm cannot be set", { cause });
    }
  }

  return {
    async read() {
      const epochS = await numberIn(join(folder, "since_epoch"));
      if (epochS === undefined) return undefined;
      const temperature = await temperatureIn(join(folder, "device/hwmon"));
      return { epochS, ...(temperature !== undefined && { temperature }) } satisfies ChipReading;
    },

    async write(epochS) {
      // timedated, and the kernel while a time server is followed, set the chip themselves, and a service without
      // privileges cannot.
      const shownS = await numberIn(join(folder, "since_epoch"));
      if (shownS !== undefined && Math.abs(shownS - epochS) <= MAX_DIFFERENCE_S) return;
      // The kernel accepts a new time only through a system call, not through a file. hwclock parses a date in its own
      // time zone.
      const date = new Date(epochS * 1000).toISOString().slice(0, 19);
      const env = { TZ: "UTC0", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
      const args = ["--rtc=/dev/rtc0", "--utc", "--noadjfile", "--set", `--date=${date}`];
      try {
        await run(hwclock, args, { env, timeout: WRITE_TIMEOUT_MS });
      } catch (cause) {
        throw new Problem("failed", "clock chip: it cannot be set", { cause });
      }
    },

    async setAlarm(epochS) {
      // The kernel refuses a new alarm while another one is armed; zero disarms it.
      await setWakeAlarm("0");
      if (epochS !== null) await setWakeAlarm(String(epochS));
    },
  };
}

/** The kernel's clock, set through systemd's timedated. */
export function createLinuxSystemClock({ bus, clock }: LinuxSystemClockDeps): SystemClock {
  async function ask<Answer>(question: Promise<Answer>, what: string): Promise<Answer> {
    try {
      return await question;
    } catch (cause) {
      if (!(cause instanceof Problem)) throw cause;
      throw new Problem("failed", `system clock: ${what}`, { cause });
    }
  }

  const isTrue = (name: string) =>
    ask(bus.property(Type.Boolean(), TIMEDATED, name), "timedated does not report whether time servers set it");

  return {
    now: () => clock.now().getTime(),

    isSynchronised: () => isTrue("NTPSynchronized"),

    async allowServers(isAllowed) {
      if (!(await isTrue("CanNTP"))) return;
      const call = { ...TIMEDATED, member: "SetNTP", signature: "bb", body: [isAllowed, false] };
      await ask(bus.call(Anything, call), `time servers cannot be ${isAllowed ? "enabled" : "disabled"}`);
    },

    async set(epochS) {
      const body = [BigInt(epochS) * 1_000_000n, false, false];
      await ask(bus.call(Anything, { ...TIMEDATED, member: "SetTime", signature: "xbb", body }), "it cannot be set");
    },
  };
}

/** A DS3231 measures quarters of a degree; the kernel reports thousandths. */
async function temperatureIn(folder: string): Promise<number | undefined> {
  const [sensor] = (await namesIn(folder)).toSorted();
  const thousandths = sensor === undefined ? undefined : await numberIn(join(folder, sensor, "temp1_input"));
  return thousandths === undefined ? undefined : thousandths / 1000;
}

/** Undefined when the file is missing or the kernel refuses to read it, as it does after the chip lost its time. */
async function numberIn(path: string): Promise<number | undefined> {
  const text = await orUndefined(readFile(path, "utf8"));
  return text !== undefined && /^-?\d+\n?$/.test(text) ? Number(text) : undefined;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await orUndefined(readdir(folder))) ?? [];
}

async function orUndefined<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
