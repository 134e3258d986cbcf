import { createClock } from "@kit/clock";
import { createFakeIds } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { expect, it, onTestFinished } from "vitest";
import { type NetworkManagerOptions, startNetworkManager } from "../../testing/network-manager-bench.ts";
import { describeWifiManager } from "../../testing/wifi.contract.ts";
import { createEvents } from "../events.ts";
import { createWifiService } from "../settings/wifi.service.ts";
import { createBus } from "./dbus.ts";
import { createLinuxWifi } from "./linux-wifi.ts";

const clock = createClock();

async function setUp(options: NetworkManagerOptions = {}) {
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

it("joins a hidden network, whose security is unknown", async () => {
  const { manager, profiles, remove } = await setUp();
  onTestFinished(remove);
  await manager.start();
  await manager.join({ ssid: "Cellar", password: "correct horse" }, clock.deadline(5000));
  expect(manager.status()).toEqual({ ssid: "Cellar", wifi_connected: true });
  expect(await profiles()).toBe(1);
  await manager.openAccessPoint("Manara set-up");
  expect(await manager.rejoin(clock.deadline(5000))).toBe(true);
  manager.close();
}, 60_000);

it("refuses a network that needs a user name, and says so", async () => {
  const { manager, profiles, remove } = await setUp();
  onTestFinished(remove);
  await manager.start();
  await expect(manager.join({ ssid: "School", password: "correct horse" }, clock.deadline(5000))).rejects.toThrow(
    "wifi: 'School' is a network of the kind 'enterprise', which is not supported",
  );
  expect(await profiles()).toBe(0);
  manager.close();
}, 60_000);

it("switches a radio on that the system has blocked", async () => {
  const { manager, isOn, remove } = await setUp({ isBlocked: true });
  onTestFinished(remove);
  expect(await isOn()).toBe(false);
  await manager.start();
  expect(await isOn()).toBe(true);
  manager.close();
}, 60_000);

it("notices a cable", async () => {
  const { manager, remove } = await setUp({ hasCable: true });
  onTestFinished(remove);
  await manager.start();
  expect(await manager.isWired()).toBe(true);
  manager.close();
}, 60_000);

it("opens the set-up network of a new device when NetworkManager starts later than the service", async () => {
  const { manager, restart, playAgain, remove } = await setUp();
  onTestFinished(remove);
  await restart();
  const events = createEvents();
  const wifi = createWifiService({ manager, isInUse: () => false, events, clock, log: silentLog });
  onTestFinished(() => wifi.close());
  wifi.start();
  await expect
    .poll(() => wifi.failure(), { timeout: 20_000 })
    .toMatchObject({ error: "NetworkManager does not answer" });
  await playAgain();
  await expect
    .poll(() => wifi.accessPoint(), { timeout: 30_000 })
    .toEqual({
      ssid: "Manara set-up",
      address: "10.42.0.1",
    });
  expect(wifi.failure()).toBeUndefined();
  wifi.join({ ssid: "مسجد النور", password: "battery staple" });
  await expect.poll(() => wifi.status().ssid, { timeout: 20_000 }).toBe("مسجد النور");
  expect(wifi.accessPoint()).toBeUndefined();
}, 90_000);

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
