import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { Events } from "../events.ts";
import type { WifiManager, WifiNetwork, WifiStatus } from "./wifi-manager.ts";

export interface WifiServiceDeps {
  /** Undefined when none is fitted. */
  manager: WifiManager | undefined;
  /** The device's own address now. */
  ip: () => string;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "sleep" | "deadline">;
  log: Pick<Log, "info" | "error">;
}
export type WifiService = ReturnType<typeof createWifiService>;

const SET_UP_NETWORK = "Manara set-up";
const NO_NETWORK: WifiStatus = { ssid: "", wifi_connected: false };
// The answer to the request is sent over the network that the device is about to leave.
const ANSWER_DELAY_MS = 500;
const JOIN_TIMEOUT_MS = 60_000;

/**
 * Manages the network of the device. It is never without one: it returns to the previous network, or opens an access
 * point.
 */
export function createWifiService({ manager, ip, events, clock, log }: WifiServiceDeps) {
  let joining: AbortController | undefined;
  let failure: Problem | undefined;
  let own: { ssid: string; address: string } | undefined;

  function requireManager(): WifiManager {
    if (!manager) throw new Problem("failed", "wifi: no adapter is fitted");
    if (failure) throw failure;
    return manager;
  }

  async function openOwnNetwork(radio: WifiManager): Promise<void> {
    await radio.openAccessPoint(SET_UP_NETWORK);
    own = { ssid: SET_UP_NETWORK, address: ip() };
  }

  async function returnToKnownNetwork(radio: WifiManager): Promise<void> {
    if (await radio.rejoin()) own = undefined;
    else await openOwnNetwork(radio);
  }

  async function switchNetwork(radio: WifiManager, network: WifiNetwork, mine: AbortController): Promise<void> {
    await clock.sleep(ANSWER_DELAY_MS);
    if (mine.signal.aborted) return;
    try {
      await radio.join(network, AbortSignal.any([mine.signal, clock.deadline(JOIN_TIMEOUT_MS)]));
      own = undefined;
      log.info({ ssid: network.ssid }, "joined a network");
    } catch (error) {
      // A later request has replaced this one.
      if (mine.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      log.info({ ssid: network.ssid, why: error.message }, "a network could not be joined");
      events.emit("error", { code: "wifi", message: error.message });
      await returnToKnownNetwork(radio);
    }
  }

  /** Runs after the answer was sent, so errors go to the log. */
  function runInBackground(work: Promise<void>): void {
    work.catch((error: unknown) => log.error({ err: error }, "the network could not be changed"));
  }

  return {
    async start(): Promise<void> {
      const radio = requireManager();
      try {
        await radio.start();
      } catch (error) {
        if (error instanceof Problem) failure = error;
        throw error;
      }
      if (!(await radio.knowsAny())) await openOwnNetwork(radio);
    },

    close(): void {
      joining?.abort();
      manager?.close();
    },

    /** The device's access point while it is open; a phone reaches the device through it. */
    accessPoint: (): { ssid: string; address: string } | undefined => own,

    status: (): WifiStatus => manager?.status() ?? NO_NETWORK,

    onChange: (listener: () => void): (() => void) => manager?.onChange(listener) ?? (() => undefined),

    /** Returns immediately and switches to the network afterwards. */
    join(network: WifiNetwork): void {
      checkNetwork(network);
      const radio = requireManager();
      joining?.abort();
      joining = new AbortController();
      runInBackground(switchNetwork(radio, network, joining));
    },

    /** Removes every network with its password; the set-up network opens. */
    forget(): void {
      joining?.abort();
      if (!manager) return;
      const radio = manager;
      const forgetAll = async () => {
        await clock.sleep(ANSWER_DELAY_MS);
        await radio.forgetAll();
        await openOwnNetwork(radio);
      };
      runInBackground(forgetAll());
    },
  };
}

function checkNetwork({ ssid, password }: WifiNetwork): void {
  if (Buffer.byteLength(ssid) > 32) throw invalidField("ssid", "must be at most 32 bytes");
  if (/\p{Cc}/u.test(ssid))
    throw invalidField("ssid", "must not contain control characters", { code: "characters_forbidden" });
  if (!PASSWORD.test(password)) {
    throw invalidField("password", "must be 8 to 63 printable ASCII characters, 64 hex digits, or empty");
  }
}

// IEEE 802.11, annex J.4.1: a passphrase of 8 to 63 printable characters, or the 256-bit key itself.
const PASSWORD = /^(|[\x20-\x7e]{8,63}|[0-9A-Fa-f]{64})$/;
