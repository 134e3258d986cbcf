import { Problem } from "@kit/problem";
import type { WifiManager, WifiNetwork, WifiStatus } from "../settings/wifi-manager.ts";

const NO_NETWORK: WifiStatus = { ssid: "", wifi_connected: false };
/** Every simulated network refuses the first password, and never answers to the second. */
const WRONG_PASSWORD = "wrong-password";
const SILENT_PASSWORD = "silent-password";

/** A radio that can reach every network. A new device has already joined one, so that it needs no set-up. */
export function createSimulatedWifi(first?: WifiNetwork): WifiManager {
  const listeners = new Set<() => void>();
  const known = new Set(first ? [first.ssid] : []);
  let former = first?.ssid;
  let status = first ? joined(first.ssid) : NO_NETWORK;

  function become(next: WifiStatus): void {
    const isSame = next.ssid === status.ssid && next.wifi_connected === status.wifi_connected;
    status = next;
    if (!isSame) for (const listener of listeners) listener();
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

    async join({ ssid, password }, signal) {
      if (password === SILENT_PASSWORD) await untilAborted(signal);
      if (password === WRONG_PASSWORD || signal.aborted) {
        become(NO_NETWORK);
        throw new Problem("failed", `wifi: '${ssid}' could not be joined`);
      }
      known.add(ssid);
      former = ssid;
      become(joined(ssid));
    },

    async rejoin() {
      if (former === undefined) return false;
      become(joined(former));
      return true;
    },

    openAccessPoint: async () => become(NO_NETWORK),

    async forgetAll() {
      known.clear();
      former = undefined;
      become(NO_NETWORK);
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => (signal.aborted ? resolve(signal) : signal.addEventListener("abort", resolve)));
}

function joined(ssid: string): WifiStatus {
  return { ssid, wifi_connected: true };
}
