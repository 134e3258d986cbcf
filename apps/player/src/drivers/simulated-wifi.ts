import { Problem } from "@kit/problem";
import type { NetworkInReach, WifiManager, WifiNetwork, WifiStatus } from "../settings/wifi-manager.ts";

export interface SimulatedWifi extends WifiManager {
  /** The routers of all networks are switched off, or on again. */
  setReach(isInReach: boolean): void;
}

const NO_NETWORK: WifiStatus = { ssid: "", wifi_connected: false };
/** Every simulated network refuses the first password, and never answers to the second. */
const WRONG_PASSWORD = "wrong-password";
const SILENT_PASSWORD = "silent-password";
const NETWORKS: readonly NetworkInReach[] = [
  { ssid: "Home", signal: 82, security: "wpa" },
  { ssid: "مسجد النور", signal: 64, security: "wpa3" },
  { ssid: "School", signal: 47, security: "enterprise" },
  { ssid: "Café", signal: 31, security: "open" },
];
/** The set-up network of a simulated device is the machine itself. */
const OWN_ADDRESS = "127.0.0.1";

/** A radio that can reach every network. With a first network, it has already joined it and needs no set-up. */
export function createSimulatedWifi(first?: WifiNetwork): SimulatedWifi {
  const listeners = new Set<() => void>();
  const known = new Set(first ? [first.ssid] : []);
  let former = first?.ssid;
  let status = first ? joined(first.ssid) : NO_NETWORK;
  let isInReach = true;
  let isAccessPoint = false;

  function become(next: WifiStatus): void {
    const isSame = next.ssid === status.ssid && next.wifi_connected === status.wifi_connected;
    status = next;
    if (!isSame) for (const listener of listeners) listener();
  }

  function rejoin(): boolean {
    isAccessPoint = false;
    if (former === undefined || !isInReach) return false;
    become(joined(former));
    return true;
  }

  return {
    start: async () => undefined,
    close: () => undefined,
    status: () => status,

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    knowsAny: async () => known.size > 0,
    isWired: async () => false,
    listNetworks: async () => (isInReach ? [...NETWORKS] : []),

    async join({ ssid, password }, signal) {
      isAccessPoint = false;
      if (password === SILENT_PASSWORD) await untilAborted(signal);
      if (password === WRONG_PASSWORD || signal.aborted || !isInReach) {
        become(NO_NETWORK);
        throw new Problem("failed", `wifi: '${ssid}' could not be joined`);
      }
      known.add(ssid);
      former = ssid;
      become(joined(ssid));
    },

    rejoin: async () => rejoin(),

    async openAccessPoint() {
      isAccessPoint = true;
      become(NO_NETWORK);
      return { address: OWN_ADDRESS };
    },

    async forgetAll() {
      known.clear();
      former = undefined;
      become(NO_NETWORK);
    },

    setReach(next) {
      isInReach = next;
      if (!isInReach) become(NO_NETWORK);
      else if (!isAccessPoint) rejoin();
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => (signal.aborted ? resolve(signal) : signal.addEventListener("abort", resolve)));
}

function joined(ssid: string): WifiStatus {
  return { ssid, wifi_connected: true };
}
