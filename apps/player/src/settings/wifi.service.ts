import type { Clock } from "@kit/clock";
import { createMutex } from "@kit/clock/mutex";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { Events } from "../events.ts";
import { type AccessPoint, createSetupNetwork } from "./setup-network.ts";
import type { NetworkInReach, WifiManager, WifiNetwork, WifiStatus } from "./wifi-manager.ts";

export interface WifiServiceDeps {
  /** Undefined when none is fitted. */
  manager: WifiManager | undefined;
  /** Whether a person uses the device now, so that the set-up network must stay open. */
  isInUse: () => boolean;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "sleep" | "deadline" | "monotonicMs">;
  log: Pick<Log, "info" | "warn" | "error">;
}
export type WifiService = ReturnType<typeof createWifiService>;

const NO_NETWORK: WifiStatus = { ssid: "", wifi_connected: false };
// The answer to the request is sent over the network that the device is about to leave.
const ANSWER_DELAY_MS = 500;
const JOIN_TIMEOUT_MS = 60_000;
const WATCH_INTERVAL_MS = 5000;
const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 60_000;

/** Manages the network of the device, which stays reachable by a known network or by its own. */
export function createWifiService({ manager, isInUse, events, clock, log }: WifiServiceDeps) {
  const setup = manager && createSetupNetwork({ radio: manager, isInUse, clock, log });
  const closing = new AbortController();
  let current = new AbortController();
  const mutex = createMutex();
  /** A factory reset has to remove the networks, also when the radio refuses at first. */
  let mustForget = false;
  let failure: Problem | undefined = manager ? undefined : new Problem("failed", "wifi: no adapter is fitted");

  function requireParts() {
    if (failure || !manager || !setup) throw failure ?? new Problem("failed", "wifi: no adapter is fitted");
    return { radio: manager, setup };
  }

  /** The radio does one thing at a time. */
  const enqueue = (work: () => Promise<void>) => mutex("radio", work);

  /**
   * Aborts the current work of the radio and runs this next, after the answer was sent. The signal is aborted by the
   * next call.
   */
  function runNext(work: (signal: AbortSignal) => Promise<void>): void {
    current.abort();
    current = new AbortController();
    const signal = AbortSignal.any([current.signal, closing.signal]);
    const answered = clock.sleep(ANSWER_DELAY_MS);
    const run = async () => {
      await answered;
      await work(signal);
    };
    enqueue(run).catch((error: unknown) => {
      if (!closing.signal.aborted) log.error({ err: error }, "changing the network failed");
    });
  }

  async function startRadio({ radio }: ReturnType<typeof requireParts>): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)) {
      try {
        await radio.start();
        failure = undefined;
        return;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (!failure) log.warn({ err: error, component: "wifi" }, "component failed to start, will retry");
        failure = error;
      }
      await clock.sleep(waitMs, closing.signal);
    }
  }

  async function watch({ setup: network }: ReturnType<typeof requireParts>): Promise<void> {
    let hasFailed = false;
    for (;;) {
      try {
        await enqueue(forgetNow);
        await enqueue(() => network.watch(AbortSignal.any([current.signal, closing.signal])));
        hasFailed = false;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (!hasFailed) log.warn({ err: error }, "checking the network failed");
        hasFailed = true;
      }
      await clock.sleep(WATCH_INTERVAL_MS, closing.signal);
    }
  }

  async function forgetNow(): Promise<void> {
    if (!manager || !setup || !mustForget) return;
    await manager.forgetAll();
    mustForget = false;
    await setup.open();
  }

  async function operate(): Promise<void> {
    const parts = requireParts();
    try {
      await startRadio(parts);
      await watch(parts);
    } catch (error) {
      if (!closing.signal.aborted) log.error({ err: error }, "network monitoring stopped");
    }
  }

  async function join(network: WifiNetwork, signal: AbortSignal): Promise<void> {
    const { radio, setup: own } = requireParts();
    if (signal.aborted) return;
    try {
      await radio.join(network, AbortSignal.any([signal, clock.deadline(JOIN_TIMEOUT_MS)]));
      own.leave();
      log.info({ ssid: network.ssid }, "joined a network");
    } catch (error) {
      // A later request has replaced this one.
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      log.info({ ssid: network.ssid, why: error.message }, "joining a network failed");
      events.emit("error", { code: "wifi", message: error.message });
      await own.recover(signal);
    }
  }

  return {
    /** Returns immediately. A radio that does not start is tried again for as long as the service runs. */
    start(): void {
      if (manager) void operate();
    },

    close(): void {
      closing.abort();
      manager?.close();
    },

    /** Why there is no Wi-Fi now; undefined when it works. */
    failure(): { component: "wifi"; error: string } | undefined {
      const found = failure ?? setup?.failure();
      return found && { component: "wifi", error: found.message.replace(/^wifi: /, "") };
    },

    /** The device's access point while it is open; a phone reaches the device through it. */
    accessPoint: (): AccessPoint | undefined => setup?.current(),

    onAccessPoint: (listener: () => void): (() => void) => setup?.onChange(listener) ?? (() => undefined),

    status: (): WifiStatus => manager?.status() ?? NO_NETWORK,

    onChange: (listener: () => void): (() => void) => manager?.onChange(listener) ?? (() => undefined),

    listNetworks: async (): Promise<NetworkInReach[]> => requireParts().radio.listNetworks(),

    /** Returns immediately and switches to the network afterwards. */
    join(network: WifiNetwork): void {
      checkNetwork(network);
      requireParts();
      runNext((signal) => join(network, signal));
    },

    /** For the device's button. Returns immediately; without effect while there is no radio. */
    openSetupNetwork(): void {
      if (setup && !failure) runNext(setup.open);
    },

    /** Removes every network with its password; the set-up network opens. */
    forget(): void {
      mustForget = true;
      runNext(forgetNow);
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
