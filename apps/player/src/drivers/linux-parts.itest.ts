import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { startProcess } from "@kit/testing/process";
import Type from "typebox";
import Value from "typebox/value";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeAdvertiser } from "../../testing/advertiser.contract.ts";
import { describeBacklight } from "../../testing/backlight.contract.ts";
import { type BatteryBench, describeBatteryGauge } from "../../testing/battery.contract.ts";
import { type MockBus, startMockBus } from "../../testing/mock-bus.ts";
import { describeServiceNotifier } from "../../testing/notifier.contract.ts";
import { describePowerManager } from "../../testing/power.contract.ts";
import { BusVariant, createBus } from "./dbus.ts";
import { createLinuxAdvertiser } from "./linux-advertiser.ts";
import { createLinuxBacklight } from "./linux-backlight.ts";
import { createLinuxBattery } from "./linux-battery.ts";
import { createLinuxNotifier } from "./linux-notifier.ts";
import { createLinuxPower } from "./linux-power.ts";

const clock = createClock();
const NO_BUS = createBus({ address: "unix:path=/nonexistent/bus", clock });

/** A folder that looks like sysfs. */
async function createSysfs(files: Readonly<Record<string, string>>) {
  const sysfs = await mkdtemp(join(tmpdir(), "sysfs-"));
  const write = async (path: string, content: string) => {
    await mkdir(join(sysfs, path, ".."), { recursive: true });
    await writeFile(join(sysfs, path), content);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  return {
    sysfs,
    write,
    read: (path: string) => readFile(join(sysfs, path), "utf8"),
    remove: () => rm(sysfs, { recursive: true }),
  };
}

for (const most of ["31", "255", "4095"]) {
  describeBacklight(`the kernel's backlight of ${most} steps`, async () => {
    const files = { "class/backlight/panel/max_brightness": `${most}\n`, "class/backlight/panel/brightness": "1\n" };
    const { sysfs, read, remove } = await createSysfs(files);
    onTestFinished(remove);
    const shown = async () => Number(await read("class/backlight/panel/brightness")) / Number(most);
    return { backlight: createLinuxBacklight({ sysfs }), shown };
  });
}

describe("the kernel's backlight", () => {
  it.each([
    ["there is no folder", {}, "backlight: none is fitted"],
    [
      "it has no steps",
      { "class/backlight/panel/max_brightness": "0\n" },
      "backlight: it does not say how bright it is",
    ],
  ])("the kernel's backlight does not start when %s", async (_why, files, error) => {
    const { sysfs, remove } = await createSysfs(files);
    onTestFinished(remove);
    const backlight = createLinuxBacklight({ sysfs });
    await expect(backlight.start()).rejects.toThrow(error);
    await expect(backlight.set(5)).rejects.toThrow("backlight: none is fitted");
  });

  it("rejects when it cannot be set", async () => {
    const { sysfs, remove } = await createSysfs({ "class/backlight/panel/max_brightness": "255\n" });
    onTestFinished(remove);
    await mkdir(join(sysfs, "class/backlight/panel/brightness"));
    const backlight = createLinuxBacklight({ sysfs });
    await backlight.start();
    await expect(backlight.set(5)).rejects.toThrow("backlight: it cannot be set");
  });
});

const UPOWER = "org.freedesktop.UPower";
const UPOWER_STATES = { charging: 1, discharging: 2, full: 4 };

describeBatteryGauge("the battery of UPower", async (): Promise<BatteryBench> => {
  const mockBus = await startMockBus();
  const upower = await mockBus.play(
    { destination: UPOWER, path: "/org/freedesktop/UPower", interface: UPOWER },
    "upower",
  );
  const path = "/org/freedesktop/UPower/devices/cell";
  const { sysfs, remove } = await createSysfs({});
  await upower.mock("AddAC", "ss", ["charger", "Charger"]);
  await upower.mock("AddDischargingBattery", "ssdx", ["cell", "Cell", 50, 1200n]);
  await upower.mock("AddProperty", "ssv", [`${UPOWER}.Device`, "Voltage", new BusVariant("d", 3.849)], path);
  return {
    gauge: createLinuxBattery({ bus: mockBus.bus, sysfs }),
    async become(battery) {
      const properties = {
        IsPresent: new BusVariant("b", battery !== undefined),
        ...(battery && {
          Percentage: new BusVariant("d", battery.percentage),
          State: new BusVariant("u", UPOWER_STATES[battery.state]),
        }),
      };
      await upower.mock("SetDeviceProperties", "oa{sv}", [path, properties]);
    },
    async remove() {
      await mockBus.remove();
      await remove();
    },
  };
});

const KERNEL_STATES = { charging: "Charging", discharging: "Discharging", full: "Full" };

describeBatteryGauge("the kernel's battery", async (): Promise<BatteryBench> => {
  const mockBus = await startMockBus();
  const { sysfs, write, remove } = await createSysfs({
    "class/power_supply/ac/type": "Mains\n",
    "class/power_supply/a-mouse/type": "Battery\n",
    "class/power_supply/a-mouse/scope": "Device\n",
    "class/power_supply/cell/type": "Battery\n",
    "class/power_supply/cell/voltage_now": "3849000\n",
  });
  return {
    gauge: createLinuxBattery({ bus: mockBus.bus, sysfs }),
    async become(battery) {
      await write("class/power_supply/cell/present", battery ? "1\n" : "0\n");
      if (!battery) return;
      await write("class/power_supply/cell/capacity", `${battery.percentage}\n`);
      await write("class/power_supply/cell/status", `${KERNEL_STATES[battery.state]}\n`);
    },
    async remove() {
      await mockBus.remove();
      await remove();
    },
  };
});

it("the kernel's battery reports a gauge that cannot be read as a Problem", async () => {
  const { sysfs, remove } = await createSysfs({
    "class/power_supply/cell/type": "Battery\n",
    // A folder in place of the reading: an error of the kernel, such as EIO of an I2C gauge, is not a missing file.
    "class/power_supply/cell/capacity/not-a-reading": "",
  });
  onTestFinished(remove);
  await expect(createLinuxBattery({ bus: NO_BUS, sysfs }).read()).rejects.toMatchObject({
    kind: "failed",
    message: "battery: the gauge cannot be read",
  });
});

const LOGIND = "org.freedesktop.login1";
const LOGIND_OBJECT = { destination: LOGIND, path: "/org/freedesktop/login1", interface: `${LOGIND}.Manager` };
const FALL_ASLEEP = `self.EmitSignal("${LOGIND}.Manager", "PrepareForSleep", "b", [True])`;

describePowerManager("the sleep of logind", async () => {
  const { bus, play, remove } = await startMockBus();
  const logind = await play(LOGIND_OBJECT, "logind");
  await logind.becomes("Suspend", ["b", ""], FALL_ASLEEP);
  return {
    manager: createLinuxPower({ bus, sysfs: "/nonexistent", clock }),
    wake: async () => {
      await logind.mock("EmitSignal", "sssav", ["", "PrepareForSleep", "b", [new BusVariant("b", false)]]);
    },
    remove,
  };
});

describe("the kernel's sleep", () => {
  it("the kernel's sleep is used when logind cannot suspend, and returns when the device is awake", async () => {
    const { bus, play, remove } = await startMockBus();
    onTestFinished(remove);
    await play(LOGIND_OBJECT, "logind", { CanSuspend: "na" });
    const sysfs = await createSysfs({ "power/state": "freeze mem disk\n" });
    onTestFinished(sysfs.remove);
    const manager = createLinuxPower({ bus, sysfs: sysfs.sysfs, clock });
    await manager.start();
    await manager.suspend();
    expect(await sysfs.read("power/state")).toBe("mem");
  }, 60_000);

  it.each([{}, { "power/state": "freeze\n" }])("does not start when sysfs has only %j", async (files) => {
    const { sysfs, remove } = await createSysfs(files);
    onTestFinished(remove);
    const manager = createLinuxPower({ bus: NO_BUS, sysfs, clock });
    await expect(manager.start()).rejects.toThrow("power: this device cannot sleep");
    await expect(manager.suspend()).rejects.toThrow("power: this device cannot sleep");
  });
});

const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print("listening", flush=True)
while True:
    state = receiver.recv(4096).decode()
    if not state.startswith("BARRIER"):
        print(state, flush=True)
`;

describeServiceNotifier("systemd's notifier", async () => {
  const folder = await mkdtemp(join(tmpdir(), "notify-"));
  const socket = join(folder, "notify");
  const receiver = await startProcess({
    command: "/usr/bin/python3",
    args: ["-c", RECEIVER, socket],
    readyWhen: /listening/,
  });
  return {
    notifier: createLinuxNotifier({ socket }),
    sent: () => receiver.output().split("\n").slice(1, -1),
    async remove() {
      await receiver.stop();
      await rm(folder, { recursive: true });
    },
  };
});

it("rejects when the service manager cannot be notified", async () => {
  const notifier = createLinuxNotifier({ socket: "/nonexistent/notify" });
  await expect(notifier.ready()).rejects.toThrow("notifier: the service manager cannot be notified");
});

const AVAHI = "org.freedesktop.Avahi";
const Found = Type.Union([Type.Null(), Type.Tuple([Type.String(), Type.String(), Type.Integer()])]);
/** Avahi's server with its entry groups: an entry is found after it was committed, until it is freed. */
const NEW_GROUP = `
import json
self.groups = getattr(self, "groups", 0) + 1
ret = dbus.ObjectPath("/Client/EntryGroup%d" % self.groups)
self.AddObject(ret, "${AVAHI}.EntryGroup", {}, [
    ("AddService", "iiussssqaay", "", "self.added = [str(args[3]), str(args[4]), int(args[7])]"),
    ("Commit", "", "", "objects['/'].found = self.added"),
    ("GetState", "", "i", "ret = 2"),
    ("Free", "", "", "objects['/'].found = None; self.RemoveObject(self.path)"),
])
`;

async function playAvahi({ bus, play }: MockBus) {
  const server = { destination: AVAHI, path: "/", interface: `${AVAHI}.Server` };
  const avahi = await play(server);
  await avahi.becomes("EntryGroupNew", ["", "o"], NEW_GROUP);
  await avahi.becomes("Found", ["", "s"], 'import json; ret = json.dumps(getattr(self, "found", None))');
  await avahi.becomes("Groups", ["", "i"], 'ret = getattr(self, "groups", 0)');
  return {
    found: async () => {
      const text = await bus.call(Type.String(), { ...server, member: "Found" });
      const found = Value.Parse(Found, JSON.parse(text));
      return found ? { name: found[0], port: found[2], hasTls: found[1] === "_https._tcp" } : undefined;
    },
    /** How many times something was announced to the network. */
    groups: () => bus.call(Type.Integer(), { ...server, member: "Groups" }),
  };
}

describeAdvertiser("the advertiser of Avahi", async () => {
  const mockBus = await startMockBus();
  const { found } = await playAvahi(mockBus);
  return { advertiser: createLinuxAdvertiser(mockBus), found, remove: mockBus.remove };
});

it("does not announce a service again that is already advertised", async () => {
  const mockBus = await startMockBus();
  onTestFinished(mockBus.remove);
  const { groups } = await playAvahi(mockBus);
  const advertiser = createLinuxAdvertiser(mockBus);
  for (let minute = 0; minute < 3; minute += 1) {
    await advertiser.advertise({ name: "Manara", port: 443, hasTls: true });
  }
  expect(await groups()).toBe(1);
}, 60_000);

it("is advertised again after a restart of Avahi", async () => {
  const mockBus = await startMockBus();
  onTestFinished(mockBus.remove);
  const service = { name: "Manara", port: 443, hasTls: true };
  const advertiser = createLinuxAdvertiser(mockBus);
  await playAvahi(mockBus);
  await advertiser.advertise(service);
  await mockBus.restart();
  await expect(advertiser.advertise(service)).rejects.toThrow("advertiser: Avahi does not answer");
  const { found } = await playAvahi(mockBus);
  await advertiser.advertise(service);
  expect(await found()).toEqual(service);
}, 60_000);
