import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSimulatedWifi } from "../drivers/simulated-wifi.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { createWifiService } from "./wifi.service.ts";
import type { WifiManager, WifiNetwork } from "./wifi-manager.ts";

const HOME = { ssid: "Home", password: "" };
const REFUSED = { ssid: "Next door", password: "wrong-password" };
const SILENT = { ssid: "Out of range", password: "silent-password" };
const AT_HOME = { ssid: "Home", wifi_connected: true };
const NOWHERE = { ssid: "", wifi_connected: false };
const MINUTE_MS = 60_000;

/** A radio that records the access points it opens. */
function setUp(first?: WifiNetwork) {
  const clock = createFakeClock();
  const radio = createSimulatedWifi(first);
  const opened: string[] = [];
  const world = { isWired: false, isInUse: false };
  const manager: WifiManager = {
    ...radio,
    isWired: async () => world.isWired,
    openAccessPoint: async (ssid) => {
      opened.push(ssid);
      return radio.openAccessPoint(ssid);
    },
  };
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const wifi = createWifiService({ manager, isInUse: () => world.isInUse, events, clock, log: silentLog });
  onTestFinished(() => wifi.close());
  return { clock, wifi, manager, opened, emitted, world, setReach: (isInReach: boolean) => radio.setReach(isInReach) };
}

it("opens the set-up network when no network is known, and not when one is", async () => {
  const unknown = setUp();
  unknown.wifi.start();
  await unknown.clock.advance(0);
  expect(unknown.opened).toEqual(["Manara set-up"]);
  expect(unknown.wifi.accessPoint()).toEqual({ ssid: "Manara set-up", address: "127.0.0.1" });
  const known = setUp(HOME);
  known.wifi.start();
  await known.clock.advance(MINUTE_MS);
  expect(known.opened).toEqual([]);
  expect(known.wifi.status()).toEqual(AT_HOME);
});

it("returns to the former network from one that refuses it, and reports it", async () => {
  const { clock, wifi, opened, emitted } = setUp(HOME);
  wifi.join(REFUSED);
  await clock.advance(1000);
  expect(wifi.status()).toEqual(AT_HOME);
  expect(opened).toEqual([]);
  expect(emitted).toEqual([
    { type: "error", data: { code: "wifi", message: "wifi: 'Next door' could not be joined" } },
  ]);
});

it("waits a minute for a network that does not answer, and no longer", async () => {
  const { clock, wifi, emitted } = setUp(HOME);
  wifi.join(SILENT);
  await clock.advance(60_000);
  expect(emitted).toEqual([]);
  await clock.advance(1000);
  expect(emitted).toHaveLength(1);
  expect(wifi.status()).toEqual(AT_HOME);
});

it("opens the set-up network again when no network is known", async () => {
  const { clock, wifi, opened } = setUp();
  wifi.start();
  await clock.advance(0);
  wifi.join(REFUSED);
  await clock.advance(1000);
  expect(opened).toEqual(["Manara set-up", "Manara set-up"]);
});

it("executes the last of several requests", async () => {
  const { clock, wifi, emitted } = setUp(HOME);
  wifi.join(SILENT);
  await clock.advance(5000);
  wifi.join({ ssid: "Office", password: "battery staple" });
  await clock.advance(120_000);
  expect(wifi.status()).toEqual({ ssid: "Office", wifi_connected: true });
  expect(emitted).toEqual([]);
});

it("forgets every network and opens the set-up network, also when a request follows immediately", async () => {
  const { clock, wifi, manager, opened } = setUp(HOME);
  wifi.forget();
  expect(wifi.status()).toEqual(AT_HOME);
  wifi.join(REFUSED);
  await clock.advance(2000);
  expect(wifi.status()).toEqual(NOWHERE);
  expect(await manager.knowsAny()).toBe(false);
  expect(opened.length).toBeGreaterThan(0);
});

it("forgets the networks later when the radio refuses at the time of a reset", async () => {
  const { clock, wifi, manager } = setUp(HOME);
  const forgetAll = manager.forgetAll.bind(manager);
  wifi.start();
  manager.forgetAll = () => Promise.reject(new Problem("failed", "dbus: the bus cannot be reached"));
  wifi.forget();
  await clock.advance(MINUTE_MS);
  expect(await manager.knowsAny()).toBe(true);
  manager.forgetAll = forgetAll;
  await clock.advance(MINUTE_MS);
  expect(await manager.knowsAny()).toBe(false);
  expect(wifi.accessPoint()).toBeDefined();
});

it("lists the networks in reach", async () => {
  const { wifi } = setUp();
  expect((await wifi.listNetworks())[0]).toEqual({ ssid: "Home", signal: 82, security: "wpa" });
});

describe("a radio that does not start at first", () => {
  const FAILED = new Problem("failed", "wifi: NetworkManager does not answer");

  it("refuses a network immediately, is tried again, and works from then on", async () => {
    const { clock, wifi, manager } = setUp();
    const start = manager.start.bind(manager);
    manager.start = () => Promise.reject(FAILED);
    wifi.start();
    await clock.advance(0);
    expect(wifi.failure()).toEqual({ component: "wifi", error: "NetworkManager does not answer" });
    expect(() => wifi.join(HOME)).toThrow("wifi: NetworkManager does not answer");
    wifi.openSetupNetwork();
    await clock.advance(10 * MINUTE_MS);
    expect(wifi.accessPoint()).toBeUndefined();
    manager.start = start;
    await clock.advance(MINUTE_MS);
    expect(wifi.failure()).toBeUndefined();
    expect(wifi.accessPoint()).toBeDefined();
    wifi.join(HOME);
    await clock.advance(1000);
    expect(wifi.status()).toEqual(AT_HOME);
  });

  it("a radio that does not start at first is tried after 2, 6, 14, 30 and 62 seconds, and then once a minute", async () => {
    const { clock, wifi, manager } = setUp();
    const triedS: number[] = [];
    manager.start = () => {
      triedS.push(clock.monotonicMs() / 1000);
      return Promise.reject(FAILED);
    };
    wifi.start();
    await clock.advance(0);
    await clock.advance(4 * MINUTE_MS);
    expect(triedS).toEqual([0, 2, 6, 14, 30, 62, 122, 182]);
  });

  it("reports a set-up network that cannot be opened, and tries again", async () => {
    const { clock, wifi, manager } = setUp();
    const openAccessPoint = manager.openAccessPoint.bind(manager);
    manager.openAccessPoint = () => Promise.reject(new Problem("failed", "wifi: the radio is busy"));
    wifi.start();
    await clock.advance(0);
    expect(wifi.failure()).toEqual({ component: "wifi", error: "the radio is busy" });
    manager.openAccessPoint = openAccessPoint;
    await clock.advance(MINUTE_MS);
    expect(wifi.failure()).toBeUndefined();
    expect(wifi.accessPoint()).toBeDefined();
  });
});

describe("a known network that is gone", () => {
  it("a known network that is gone is replaced by the set-up network after ten minutes, and not before", async () => {
    const { clock, wifi, setReach } = setUp(HOME);
    wifi.start();
    await clock.advance(MINUTE_MS);
    setReach(false);
    await clock.advance(9.9 * MINUTE_MS);
    expect(wifi.accessPoint()).toBeUndefined();
    await clock.advance(0.2 * MINUTE_MS);
    expect(wifi.accessPoint()).toBeDefined();
  });

  it("a known network that is gone does not count while it is gone for a moment only, or a cable connects the device", async () => {
    const { clock, wifi, opened, world, setReach } = setUp(HOME);
    wifi.start();
    for (let time = 0; time < 3; time += 1) {
      setReach(false);
      await clock.advance(9 * MINUTE_MS);
      setReach(true);
      await clock.advance(MINUTE_MS);
    }
    world.isWired = true;
    setReach(false);
    await clock.advance(60 * MINUTE_MS);
    expect(opened).toEqual([]);
  });

  it("a known network that is gone is joined again within six minutes of its return, and the set-up network closes", async () => {
    const { clock, wifi, setReach } = setUp(HOME);
    wifi.start();
    setReach(false);
    await clock.advance(30 * MINUTE_MS);
    expect(wifi.accessPoint()).toBeDefined();
    setReach(true);
    await clock.advance(6 * MINUTE_MS);
    expect(wifi.status()).toEqual(AT_HOME);
    expect(wifi.accessPoint()).toBeUndefined();
  });

  it("a known network that is gone is not searched for while a person uses the set-up network", async () => {
    const { clock, wifi, opened, world, setReach } = setUp(HOME);
    wifi.start();
    setReach(false);
    await clock.advance(11 * MINUTE_MS);
    world.isInUse = true;
    setReach(true);
    await clock.advance(25 * MINUTE_MS);
    expect(opened).toHaveLength(1);
    expect(wifi.accessPoint()).toBeDefined();
    world.isInUse = false;
    await clock.advance(6 * MINUTE_MS);
    expect(wifi.status()).toEqual(AT_HOME);
  });

  it("a known network that is gone is searched for after half an hour, so that a stranger in the set-up network cannot keep the device there", async () => {
    const { clock, wifi, world, setReach } = setUp(HOME);
    wifi.start();
    setReach(false);
    world.isInUse = true;
    await clock.advance(11 * MINUTE_MS);
    setReach(true);
    await clock.advance(30 * MINUTE_MS);
    expect(wifi.status()).toEqual(AT_HOME);
  });

  it("leaves the set-up network open after a wrong password for its successor", async () => {
    const { clock, wifi, setReach } = setUp(HOME);
    wifi.start();
    setReach(false);
    await clock.advance(11 * MINUTE_MS);
    wifi.join(REFUSED);
    await clock.advance(1000);
    expect(wifi.accessPoint()).toBeDefined();
  });
});

describe("the button", () => {
  it("opens the set-up network at home, and the device returns home after five minutes", async () => {
    const { clock, wifi } = setUp(HOME);
    wifi.start();
    await clock.advance(MINUTE_MS);
    const changes: unknown[] = [];
    wifi.onAccessPoint(() => changes.push(wifi.accessPoint()?.ssid));
    wifi.openSetupNetwork();
    await clock.advance(4 * MINUTE_MS);
    expect(wifi.accessPoint()).toBeDefined();
    await clock.advance(2 * MINUTE_MS);
    expect(wifi.status()).toEqual(AT_HOME);
    expect(changes).toEqual(["Manara set-up", undefined]);
  });
});
