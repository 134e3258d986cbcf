import { createClock } from "@kit/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WifiManager, WifiStatus } from "../src/settings/wifi-manager.ts";

export interface WifiBench {
  manager: WifiManager;
  remove: () => Promise<void>;
}

const clock = createClock();
const NO_NETWORK: WifiStatus = { ssid: "", wifi_connected: false };
const HOME = { ssid: "Home", password: "correct horse" };
const OFFICE = { ssid: "مسجد النور", password: "battery staple" };
const REFUSED = { ssid: "Next door", password: "wrong-password" };

/**
 * The contract of every radio. The bench has the networks of the simulated radio; all refuse the password
 * "wrong-password" and accept any other.
 */
export function describeWifiManager(name: string, create: () => Promise<WifiBench>): void {
  describe(name, () => {
    let bench: WifiBench;
    let manager: WifiManager;
    let seen: WifiStatus[];
    const inTime = () => clock.deadline(10_000);

    beforeEach(async () => {
      bench = await create();
      manager = bench.manager;
      seen = [];
      manager.onChange(() => seen.push(manager.status()));
      await manager.start();
    }, 60_000);

    afterEach(async () => {
      manager.close();
      await bench.remove();
    });

    it("knows no network at first, so it cannot return to one", async () => {
      expect(manager.status()).toEqual(NO_NETWORK);
      expect(await manager.knowsAny()).toBe(false);
      expect(await manager.rejoin(inTime())).toBe(false);
      expect(seen).toEqual([]);
    });

    it("joins a network and saves it, also an open one", async () => {
      await manager.join(HOME, inTime());
      expect(manager.status()).toEqual({ ssid: HOME.ssid, wifi_connected: true });
      expect(await manager.knowsAny()).toBe(true);
      await manager.join({ ssid: "Café", password: "" }, inTime());
      expect(manager.status()).toEqual({ ssid: "Café", wifi_connected: true });
      expect(seen.map(({ ssid }) => ssid)).toEqual([HOME.ssid, "Café"]);
    });

    it("saves nothing of a network that refuses it, and returns to the former one", async () => {
      await manager.join(HOME, inTime());
      await expect(manager.join(REFUSED, inTime())).rejects.toThrow("wifi: 'Next door' could not be joined");
      expect(await manager.rejoin(inTime())).toBe(true);
      expect(manager.status()).toEqual({ ssid: HOME.ssid, wifi_connected: true });
      await manager.forgetAll();
      expect(await manager.rejoin(inTime())).toBe(false);
    });

    it("does not know a network that refused it", async () => {
      await expect(manager.join(REFUSED, inTime())).rejects.toThrow("could not be joined");
      expect(await manager.knowsAny()).toBe(false);
      expect(manager.status()).toEqual(NO_NETWORK);
    });

    it("gives up when it is aborted", async () => {
      await expect(manager.join({ ...OFFICE, password: "silent-password" }, clock.deadline(600))).rejects.toThrow(
        "wifi: 'مسجد النور' could not be joined",
      );
      expect(await manager.knowsAny()).toBe(false);
    });

    it("returns to the last one of several", async () => {
      await manager.join(HOME, inTime());
      await manager.join(OFFICE, inTime());
      await manager.join({ ...OFFICE, password: "another staple" }, inTime());
      await manager.openAccessPoint("Manara set-up");
      expect(manager.status()).toEqual(NO_NETWORK);
      expect(await manager.rejoin(inTime())).toBe(true);
      expect(manager.status()).toEqual({ ssid: OFFICE.ssid, wifi_connected: true });
    });

    it("lists named networks once, with signal and security, and needs no cable", async () => {
      const networks = await manager.listNetworks();
      expect(networks).toContainEqual({ ssid: "Home", signal: 82, security: "wpa" });
      expect(networks).toContainEqual({ ssid: "مسجد النور", signal: 64, security: "wpa3" });
      expect(networks).toContainEqual({ ssid: "School", signal: 47, security: "enterprise" });
      expect(networks).toContainEqual({ ssid: "Café", signal: 31, security: "open" });
      expect(networks.map(({ ssid }) => ssid)).toEqual(["Home", "مسجد النور", "School", "Café"]);
      await manager.openAccessPoint("Manara set-up");
      expect(await manager.listNetworks()).toEqual(networks);
      expect(await manager.isWired()).toBe(false);
    });

    it("opens an access point, which is not a known network, and closes it for another network", async () => {
      expect(await manager.openAccessPoint("Manara set-up")).toEqual({ address: expect.any(String) });
      expect(manager.status()).toEqual(NO_NETWORK);
      expect(await manager.knowsAny()).toBe(false);
      await manager.join(HOME, inTime());
      expect(manager.status()).toEqual({ ssid: HOME.ssid, wifi_connected: true });
    });

    it("forgets all networks", async () => {
      await manager.join(HOME, inTime());
      await manager.join(OFFICE, inTime());
      await manager.forgetAll();
      expect(await manager.knowsAny()).toBe(false);
      expect(manager.status()).toEqual(NO_NETWORK);
    });
  });
}
