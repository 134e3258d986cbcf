import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { ACCESS_POINT_ADDRESS } from "../settings/setup-network.ts";
import type { NetworkInReach, WifiManager, WifiNetwork, WifiStatus } from "../settings/wifi-manager.ts";
import type { Bus } from "./dbus.ts";
import {
  accessPointProfile,
  createNetworkManager,
  infrastructureProfile,
  type JoinedNetwork,
  type Profile,
  type ProfileSettings,
  type ReceivedNetwork,
} from "./network-manager.ts";

export interface LinuxWifiDeps {
  bus: Bus;
  clock: Pick<Clock, "sleep" | "deadline">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "info" | "warn">;
}

const POLL_INTERVAL_MS = 5000;
const ASK_INTERVAL_MS = 250;
const OPEN_TIMEOUT_MS = 20_000;
const SCAN_TIMEOUT_MS = 10_000;
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
  /** What the last search found. */
  let received: ReceivedNetwork[] = [];
  let searching: Promise<void> | undefined;
  let isAccessPoint = false;

  async function poll(): Promise<void> {
    found ??= await networks.findRadio();
    const current = await networks.currentProfile(radio());
    isAccessPoint = current?.isAccessPoint ?? false;
    const isJoined = current !== undefined && !isAccessPoint;
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
          if (!hasFailed) log.warn({ err: error }, "reading the network state failed");
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

  /** Some systems block the radio until it is switched on for the first time. */
  async function switchOn(): Promise<void> {
    const { isOn, isBlockedByHand } = await networks.readSwitches();
    if (isBlockedByHand) throw new Problem("failed", "wifi: the radio is switched off by its switch");
    if (isOn) return;
    try {
      await networks.switchOn();
    } catch (cause) {
      throw new Problem("failed", "wifi: the radio is switched off and cannot be switched on", { cause });
    }
  }

  /** Searches for networks, which takes some seconds. A refused search leaves what is known. */
  function search(): Promise<void> {
    searching ??= searchOnce().finally(() => {
      searching = undefined;
    });
    return searching;
  }

  async function searchOnce(): Promise<void> {
    if (isAccessPoint) return;
    const deadline = clock.deadline(SCAN_TIMEOUT_MS);
    try {
      const before = await networks.lastScan(radio());
      await networks.requestScan(radio());
      while (!deadline.aborted && (await networks.lastScan(radio())) === before) await clock.sleep(ASK_INTERVAL_MS);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      log.info({ why: error.message }, "network scan was refused");
    }
    await poll();
    // An access point receives nothing; the list from before it was opened stays.
    if (!isAccessPoint) received = await networks.listAccessPoints(radio());
  }

  /** Profiles to try for a network, the likeliest first. A network that was not received may be a hidden one. */
  function listAttempts({ ssid, password }: WifiNetwork): JoinedNetwork[] {
    const isSame = (network: ReceivedNetwork) => network.ssid === ssid;
    const found = received.filter(isSame).toSorted((a, b) => b.signal - a.signal)[0];
    if (!found) {
      const guesses = password === "" ? (["none"] as const) : (["wpa-psk", "sae"] as const);
      return guesses.map((keyManagement) => ({ ssid, password, keyManagement, isHidden: true }));
    }
    const { keyManagement, security } = found;
    if (keyManagement === undefined) {
      throw new Problem("failed", `wifi: '${ssid}' is a network of the kind '${security}', which is not supported`);
    }
    const isOpen = keyManagement === "none" || keyManagement === "owe";
    // The owner may know better than the last search.
    return [{ ssid, password, keyManagement: isOpen && password !== "" ? "wpa-psk" : keyManagement, isHidden: false }];
  }

  async function tryAttempts(network: WifiNetwork, signal: AbortSignal): Promise<string> {
    let cause: unknown;
    for (const attempt of listAttempts(network)) {
      if (signal.aborted) break;
      const profile = infrastructureProfile(attempt, ids.next());
      try {
        const path = await tryProfile(profile, signal);
        await networks.keep(path, profile);
        return path;
      } catch (error) {
        cause = error;
      }
    }
    throw new Problem("failed", `wifi: '${network.ssid}' could not be joined`, { cause });
  }

  /** Those that were received, the last joined first; the last joined alone when nothing was received. */
  function listCandidates(known: readonly Profile[]): Profile[] {
    const isFormer = ({ path }: Profile) => Number(path === former);
    const ordered = known.toSorted((a, b) => isFormer(b) - isFormer(a) || b.timestamp - a.timestamp);
    if (received.length === 0) return ordered.slice(0, 1);
    const names = new Set(received.map(({ ssid }) => ssid));
    return ordered.filter(({ ssid, isHidden }) => isHidden || names.has(ssid));
  }

  return {
    async start() {
      try {
        found = await networks.findRadio();
      } catch (cause) {
        throw new Problem("failed", "wifi: NetworkManager does not answer", { cause });
      }
      await switchOn();
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

    isWired: () => networks.isWired(),

    async listNetworks() {
      await search();
      return mergeNetworks(received);
    },

    async join(network, signal) {
      if (!received.some(({ ssid }) => ssid === network.ssid)) await search();
      const path = await tryAttempts(network, signal);
      await removeOthers(path, (other) => other.isAccessPoint || other.ssid === network.ssid);
      await poll();
    },

    async rejoin(signal) {
      const known = await knownProfiles();
      if (known.length === 0) return false;
      // NetworkManager refuses to search while the access point is open.
      await removeOthers("", ({ isAccessPoint: isOwn }) => isOwn);
      await poll();
      await search();
      for (const { path } of listCandidates(known)) {
        if (signal.aborted) break;
        try {
          await activate(path, signal);
          await poll();
          return true;
        } catch (error) {
          log.info({ err: error }, "joining a known network failed");
        }
      }
      return false;
    },

    async openAccessPoint(ssid) {
      await switchOn();
      await search();
      const profile = accessPointProfile(ssid, ids.next());
      let path: string;
      try {
        path = await tryProfile(profile, clock.deadline(OPEN_TIMEOUT_MS));
      } catch (cause) {
        throw new Problem("failed", "wifi: the set-up network could not be opened", { cause });
      }
      await removeOthers(path, ({ isAccessPoint: isOwn }) => isOwn);
      await poll();
      return { address: ACCESS_POINT_ADDRESS };
    },

    async forgetAll() {
      for (const { path } of await networks.listProfiles()) await networks.remove(path);
      former = undefined;
      await poll();
    },
  };
}

/** One entry per name, with the strongest signal. Hidden networks have no name to choose. */
function mergeNetworks(received: readonly ReceivedNetwork[]): NetworkInReach[] {
  const merged = new Map<string, NetworkInReach>();
  for (const { ssid, signal, security } of received.toSorted((a, b) => b.signal - a.signal)) {
    if (ssid !== "" && !merged.has(ssid)) merged.set(ssid, { ssid, signal, security });
  }
  return [...merged.values()];
}
