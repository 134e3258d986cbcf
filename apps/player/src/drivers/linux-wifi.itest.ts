import { createClock } from "@kit/clock";
import { createFakeIds } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { expect, it, onTestFinished } from "vitest";
import { startNetworkManager } from "../../testing/network-manager-bench.ts";
import { describeWifiManager } from "../../testing/wifi.contract.ts";
import { createBus } from "./dbus.ts";
import { createLinuxWifi } from "./linux-wifi.ts";

const clock = createClock();

async function setUp(options: { hasRadio?: boolean } = {}) {
  const bench = await startNetworkManager(options);
  const manager = createLinuxWifi({ bus: bench.bus, clock, ids: createFakeIds(), log: silentLog });
  return { ...bench, manager };
}

describeWifiManager("the radio of NetworkManager", setUp);

it("keeps one profile per network, with the last accepted password", async () => {
  const { manager, profiles, remove } = await setUp();
  onTestFinished(remove);
  await manager.start();
  await manager.openAccessPoint("Manara set-up");
  await manager.openAccessPoint("Manara set-up");
  expect(await profiles()).toBe(1);
  await manager.join({ ssid: "Home", password: "correct horse" }, clock.deadline(5000));
  await manager.join({ ssid: "Home", password: "battery staple" }, clock.deadline(5000));
  await expect(manager.join({ ssid: "Home", password: "wrong-password" }, clock.deadline(5000))).rejects.toThrow();
  expect(await profiles()).toBe(1);
  manager.close();
}, 60_000);

it("does not start without a radio", async () => {
  const { manager, remove } = await setUp({ hasRadio: false });
  onTestFinished(remove);
  await expect(manager.start()).rejects.toThrow("wifi: no adapter is fitted");
}, 60_000);

it("does not start without NetworkManager", async () => {
  const bus = createBus({ address: "unix:path=/nonexistent/bus", clock });
  const manager = createLinuxWifi({ bus, clock, ids: createFakeIds(), log: silentLog });
  await expect(manager.start()).rejects.toThrow("wifi: NetworkManager does not answer");
});
