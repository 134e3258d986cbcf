import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { createTimer } from "../playback/timer.ts";
import type { WifiManager, WifiStatus } from "../settings/wifi-manager.ts";
import type { Bus } from "./dbus.ts";
import {
  accessPointProfile,
  createNetworkManager,
  infrastructureProfile,
  type Profile,
  type ProfileSettings,
} from "./network-manager.ts";

export interface LinuxWifiDeps {
  bus: Bus;
  clock: Pick<Clock, "sleep" | "deadline">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "warn">;
}

const POLL_INTERVAL_MS = 5000;
const ASK_INTERVAL_MS = 250;
const OPEN_TIMEOUT_MS = 20_000;
const NO_NETWORK: WifiStatus = { ssid: "", wifi_connected: false };

/** Controls the radio through NetworkManager, which stores the passwords: this service never stores one. */
export function createLinuxWifi({ bus, clock, ids, log }: LinuxWifiDeps): WifiManager {
  const networks = createNetworkManager(bus);
  const listeners = new Set<() => void>();
  const pollTimer = createTimer(clock);
  let found: string | undefined;
  let isOpen = false;
  let hasFailed = false;
  let status = NO_NETWORK;
  /** The last network that was joined successfully. */
  let former: string | undefined;

  async function poll(): Promise<void> {
    found ??= await networks.findRadio();
    const current = await networks.currentProfile(radio());
    const isJoined = current !== undefined && !current.isAccessPoint;
    if (isJoined) former = current.path;
    const seen = isJoined ? { ssid: current.ssid, wifi_connected: true } : NO_NETWORK;
    if (seen.ssid === status.ssid && seen.wifi_connected === status.wifi_connected) return;
    status = seen;
    for (const listener of listeners) listener();
  }

  function pollLater(): void {
    pollTimer.set(POLL_INTERVAL_MS, () => {
      poll()
        .then(() => {
          hasFailed = false;
        })
        .catch((error: unknown) => {
          if (!hasFailed) log.warn({ err: error }, "the state of the network is unknown");
          hasFailed = true;
          // After a restart of NetworkManager, or when the radio is plugged in again, the path is different.
          found = undefined;
        })
        .finally(() => {
          if (isOpen) pollLater();
        });
    });
  }

  function radio(): string {
    if (found === undefined) throw new Problem("failed", "wifi: no adapter is fitted");
    return found;
  }

  async function knownProfiles(): Promise<Profile[]> {
    return (await networks.listProfiles()).filter(({ isAccessPoint }) => !isAccessPoint);
  }

  /** Resolves when the connection is active; rejects when it failed. */
  async function activate(path: string, signal: AbortSignal): Promise<void> {
    const activation = await networks.activate(path, radio());
    for (;;) {
      const state = await networks.activationState(activation);
      if (state === "activated") return;
      if (state === "deactivating" || state === "deactivated") throw new Problem("failed", "wifi: it was refused");
      await clock.sleep(ASK_INTERVAL_MS, signal);
    }
  }

  /** Adds the profile and runs the work with it; removes the profile when the work fails. */
  async function tryProfile(profile: ProfileSettings, signal: AbortSignal): Promise<string> {
    const path = await networks.add(profile);
    try {
      await activate(path, signal);
    } catch (error) {
      await networks.remove(path);
      throw error;
    }
    return path;
  }

  async function removeOthers(kept: string, isOther: (profile: Profile) => boolean): Promise<void> {
    for (const profile of await networks.listProfiles()) {
      if (profile.path !== kept && isOther(profile)) await networks.remove(profile.path);
    }
  }

  return {
    async start() {
      try {
        found = await networks.findRadio();
      } catch (cause) {
        throw new Problem("failed", "wifi: NetworkManager does not answer", { cause });
      }
      await poll();
      isOpen = true;
      pollLater();
    },

    close() {
      isOpen = false;
      pollTimer.cancel();
    },

    status: () => status,

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async knowsAny() {
      return (await knownProfiles()).length > 0;
    },

    async join({ ssid, password }, signal) {
      const profile = infrastructureProfile({ ssid, password }, ids.next());
      let path: string;
      try {
        path = await tryProfile(profile, signal);
      } catch (cause) {
        throw new Problem("failed", `wifi: '${ssid}' could not be joined`, { cause });
      }
      await networks.keep(path, profile);
      await removeOthers(path, (other) => other.isAccessPoint || other.ssid === ssid);
      await poll();
    },

    async rejoin() {
      const known = await knownProfiles();
      const latest = known.toSorted((a, b) => b.timestamp - a.timestamp)[0];
      const chosen = known.find(({ path }) => path === former) ?? latest;
      if (!chosen) return false;
      // Whether the network is in range is unknown here; NetworkManager keeps trying.
      await networks.activate(chosen.path, radio());
      await poll();
      return true;
    },

    async openAccessPoint(ssid) {
      const profile = accessPointProfile(ssid, ids.next());
      let path: string;
      try {
        path = await tryProfile(profile, clock.deadline(OPEN_TIMEOUT_MS));
      } catch (cause) {
        throw new Problem("failed", "wifi: the set-up network could not be opened", { cause });
      }
      await removeOthers(path, ({ isAccessPoint }) => isAccessPoint);
      await poll();
    },

    async forgetAll() {
      for (const { path } of await networks.listProfiles()) await networks.remove(path);
      former = undefined;
      await poll();
    },
  };
}
