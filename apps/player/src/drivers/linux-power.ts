import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import Type from "typebox";
import type { PowerManager } from "../power/power-manager.ts";
import { Anything, type Bus } from "./dbus.ts";

export interface LinuxPowerDeps {
  bus: Bus;
  /** Where sysfs is mounted. */
  sysfs: string;
  clock: Pick<Clock, "deadline">;
}

const LOGIND = {
  destination: "org.freedesktop.login1",
  path: "/org/freedesktop/login1",
  interface: "org.freedesktop.login1.Manager",
};
const SUSPEND_TIMEOUT_MS = 30_000;

/** Suspends through logind, or through the kernel on a device without logind. */
export function createLinuxPower({ bus, sysfs, clock }: LinuxPowerDeps): PowerManager {
  const states = join(sysfs, "power/state");
  let suspendMethod: (() => Promise<void>) | undefined;

  /** Resolves when logind reports that the device is awake again. */
  async function suspendByLogind(): Promise<void> {
    const sleep: { phase: "waiting" | "asleep" | "awake"; wake?: () => void } = { phase: "waiting" };
    const stopListening = await bus.onSignal({ ...LOGIND, member: "PrepareForSleep" }, ([isStarting]) => {
      sleep.phase = isStarting === true ? "asleep" : "awake";
      if (sleep.phase === "awake") sleep.wake?.();
    });
    try {
      await bus.call(Anything, { ...LOGIND, member: "Suspend", signature: "b", body: [false] });
      await new Promise<void>((resolve, reject) => {
        sleep.wake = resolve;
        // The signals may arrive before the answer.
        if (sleep.phase === "awake") resolve();
        // This clock stops while the device sleeps.
        clock.deadline(SUSPEND_TIMEOUT_MS).addEventListener("abort", () => {
          if (sleep.phase === "waiting") reject(new Problem("failed", "power: the device does not go to sleep"));
        });
      });
    } finally {
      stopListening();
    }
  }

  /** The write returns when the device is awake again (Documentation/admin-guide/pm/sleep-states). */
  async function suspendByKernel(): Promise<void> {
    try {
      await writeFile(states, "mem");
    } catch (cause) {
      throw new Problem("failed", "power: the device does not go to sleep", { cause });
    }
  }

  async function canLogind(): Promise<boolean> {
    try {
      return (await bus.call(Type.String(), { ...LOGIND, member: "CanSuspend" })) === "yes";
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  async function canKernel(): Promise<boolean> {
    const known = await readFile(states, "utf8").catch(() => "");
    return known.trim().split(" ").includes("mem");
  }

  return {
    async start() {
      if (await canLogind()) suspendMethod = suspendByLogind;
      else if (await canKernel()) suspendMethod = suspendByKernel;
      else throw new Problem("failed", "power: this device cannot sleep");
    },

    async suspend() {
      if (!suspendMethod) throw new Problem("failed", "power: this device cannot sleep");
      await suspendMethod();
    },
  };
}
