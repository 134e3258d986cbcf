import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { createSimulatedWifi } from "../drivers/simulated-wifi.ts";
import { createEvents, type PlayerEvent } from "../events.ts";
import { createWifiService } from "./wifi.service.ts";
import type { WifiManager, WifiNetwork } from "./wifi-manager.ts";

const HOME = { ssid: "Home", password: "" };
const REFUSED = { ssid: "Next door", password: "wrong-password" };
const SILENT = { ssid: "Out of range", password: "silent-password" };

/** A radio that records the access points it opens. */
function setUp(first?: WifiNetwork) {
  const clock = createFakeClock();
  const radio = createSimulatedWifi(first);
  const opened: string[] = [];
  const manager: WifiManager = {
    ...radio,
    openAccessPoint: async (ssid) => {
      opened.push(ssid);
      await radio.openAccessPoint(ssid);
    },
  };
  const events = createEvents();
  const emitted: PlayerEvent[] = [];
  events.onEvent((event) => emitted.push(event));
  const wifi = createWifiService({ manager, ip: () => "192.0.2.7", events, clock, log: silentLog });
  return { clock, wifi, manager, opened, emitted };
}

it("opens the set-up network when no network is known, and not when one is", async () => {
  const unknown = setUp();
  await unknown.wifi.start();
  expect(unknown.opened).toEqual(["Manara set-up"]);
  const known = setUp(HOME);
  await known.wifi.start();
  expect(known.opened).toEqual([]);
  expect(known.wifi.status()).toEqual({ ssid: "Home", wifi_connected: true });
});

it("returns to the former network from one that refuses it, and reports it", async () => {
  const { clock, wifi, opened, emitted } = setUp(HOME);
  wifi.join(REFUSED);
  await clock.advance(1000);
  expect(wifi.status()).toEqual({ ssid: "Home", wifi_connected: true });
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
  expect(wifi.status()).toEqual({ ssid: "Home", wifi_connected: true });
});

it("opens the set-up network again when no network is known", async () => {
  const { clock, wifi, opened } = setUp();
  await wifi.start();
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

it("forgets every network and opens the set-up network", async () => {
  const { clock, wifi, opened } = setUp(HOME);
  wifi.forget();
  expect(wifi.status()).toEqual({ ssid: "Home", wifi_connected: true });
  await clock.advance(1000);
  expect(wifi.status()).toEqual({ ssid: "", wifi_connected: false });
  expect(opened).toEqual(["Manara set-up"]);
});

it("refuses a network immediately when the radio did not start", async () => {
  const { wifi, manager } = setUp(HOME);
  manager.start = () => Promise.reject(new Problem("failed", "wifi: NetworkManager does not answer"));
  await expect(wifi.start()).rejects.toThrow("wifi: NetworkManager does not answer");
  expect(() => wifi.join(HOME)).toThrow("wifi: NetworkManager does not answer");
});
