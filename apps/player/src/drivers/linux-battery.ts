import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "@kit/problem";
import Type from "typebox";
import { type BatteryGauge, NO_BATTERY } from "../power/battery-gauge.ts";
import type { BatteryBody } from "../power/power.schema.ts";
import { readIfExists } from "../storage/durable-file.ts";
import type { Bus } from "./dbus.ts";

export interface LinuxBatteryDeps {
  bus: Bus;
  /** Where sysfs is mounted. */
  sysfs: string;
}

const UPOWER = { destination: "org.freedesktop.UPower", path: "/org/freedesktop/UPower" };
const DEVICE = "org.freedesktop.UPower.Device";
// UPower's reference manual, org.freedesktop.UPower.Device: of its types 2 is a battery, and it is on a charger in the
// states 1 (charging), 4 (full) and 5 (waiting to be charged).
const BATTERY = 2;
const ON_CHARGER: readonly number[] = [1, 4, 5];
const UpowerDevice = Type.Object({
  Type: Type.Optional(Type.Integer()),
  PowerSupply: Type.Optional(Type.Boolean()),
  IsPresent: Type.Optional(Type.Boolean()),
  Voltage: Type.Optional(Type.Number()),
  Percentage: Type.Optional(Type.Number()),
  State: Type.Optional(Type.Integer()),
});

/** Reads UPower, or the kernel on a device without UPower. */
export function createLinuxBattery({ bus, sysfs }: LinuxBatteryDeps): BatteryGauge {
  async function readUpower(): Promise<BatteryBody> {
    const list = { ...UPOWER, interface: UPOWER.destination, member: "EnumerateDevices" };
    for (const path of await bus.call(Type.Array(Type.String()), list)) {
      const all = { ...UPOWER, path, interface: "org.freedesktop.DBus.Properties", member: "GetAll" };
      const device = await bus.call(UpowerDevice, { ...all, signature: "s", body: [DEVICE] });
      const { Voltage = 0, Percentage = 0, State = 0 } = device;
      // A phone or a keyboard also has a battery, but does not power this device.
      if (device.Type !== BATTERY || !device.PowerSupply || !device.IsPresent) continue;
      return {
        present: true,
        voltage: hundredths(Voltage),
        percentage: roundPercentage(Percentage),
        charging: ON_CHARGER.includes(State),
      };
    }
    return NO_BATTERY;
  }

  return {
    async read() {
      try {
        return await readUpower();
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
      try {
        return await readKernel(join(sysfs, "class/power_supply"));
      } catch (cause) {
        throw new Problem("failed", "battery: the gauge cannot be read", { cause });
      }
    },
  };
}

/** Documentation/ABI/testing/sysfs-class-power in the kernel's sources; voltages are in microvolts. */
async function readKernel(folder: string): Promise<BatteryBody> {
  const names = await namesIn(folder);
  for (const name of names.toSorted()) {
    const read = async (file: string) => (await readIfExists(join(folder, name, file)))?.trim();
    const isOurs = (await read("type")) === "Battery" && (await read("scope")) !== "Device";
    if (!isOurs || (await read("present")) === "0") continue;
    return {
      present: true,
      voltage: hundredths(Number((await read("voltage_now")) ?? 0) / 1_000_000),
      percentage: roundPercentage(Number((await read("capacity")) ?? 0)),
      charging: ["Charging", "Full", "Not charging"].includes((await read("status")) ?? ""),
    };
  }
  return NO_BATTERY;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function roundPercentage(percentage: number): number {
  return Math.min(100, Math.max(0, Math.round(percentage)));
}

function hundredths(volts: number): number {
  return Math.round(volts * 100) / 100;
}
