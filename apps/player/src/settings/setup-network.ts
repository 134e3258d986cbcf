import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { WifiManager } from "./wifi-manager.ts";

export interface AccessPoint {
  ssid: string;
  /** The device's own address in it. */
  address: string;
}

export interface SetupNetworkDeps {
  radio: Pick<WifiManager, "status" | "knowsAny" | "isWired" | "rejoin" | "openAccessPoint">;
  /** Whether a person uses the device now, so that the network must stay as it is. */
  isInUse: () => boolean;
  clock: Pick<Clock, "monotonicMs" | "deadline">;
  log: Pick<Log, "info">;
}

/** The device's address in its own network. It never changes, so that the certificate can name it in advance. */
export const ACCESS_POINT_ADDRESS = "10.42.0.1";
const SSID = "Manara set-up";
/** How long the device waits for its network before it opens its own. */
const WAIT_MS = 10 * 60_000;
/** A radio cannot search while its access point is open, so the access point is closed for each search. */
const SEARCH_INTERVAL_MS = 5 * 60_000;
const SEARCH_TIMEOUT_MS = 45_000;
/** A search is not postponed for longer, however many people use the network: it is open to strangers. */
const MAX_USE_MS = 30 * 60_000;
const RETRY_MS = 30_000;

/**
 * The device's own network, so that a phone can always reach it. It opens when no network is known or none was
 * available for ten minutes, and closes when a known one is back.
 */
export function createSetupNetwork({ radio, isInUse, clock, log }: SetupNetworkDeps) {
  const listeners = new Set<() => void>();
  let current: AccessPoint | undefined;
  let failure: Problem | undefined;
  let reachableMs = clock.monotonicMs();
  /** The next time at which the network may be opened, or closed for a search. */
  let nextMs = reachableMs;
  let openedMs = reachableMs;

  function become(next: AccessPoint | undefined): void {
    if (next === current) return;
    current = next;
    for (const listener of listeners) listener();
  }

  async function open(): Promise<void> {
    try {
      const { address } = await radio.openAccessPoint(SSID);
      failure = undefined;
      openedMs = clock.monotonicMs();
      nextMs = openedMs + SEARCH_INTERVAL_MS;
      log.info({ ssid: SSID }, "opened the set-up network");
      become({ ssid: SSID, address });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      failure = error;
      nextMs = clock.monotonicMs() + RETRY_MS;
      become(undefined);
      throw error;
    }
  }

  /** The radio has joined a network, which closed the access point. */
  function leave(): void {
    failure = undefined;
    reachableMs = clock.monotonicMs();
    become(undefined);
  }

  async function returnToKnown(signal: AbortSignal): Promise<boolean> {
    const isJoined = await radio.rejoin(AbortSignal.any([signal, clock.deadline(SEARCH_TIMEOUT_MS)]));
    if (isJoined) leave();
    return isJoined;
  }

  async function search(signal: AbortSignal): Promise<void> {
    if (!(await radio.knowsAny())) {
      nextMs = clock.monotonicMs() + SEARCH_INTERVAL_MS;
      return;
    }
    // After an abort the work that replaced this search decides about the network.
    if (!(await returnToKnown(signal)) && !signal.aborted) await open();
  }

  async function mustOpen(nowMs: number): Promise<boolean> {
    return nowMs - reachableMs >= WAIT_MS || !(await radio.knowsAny());
  }

  function maySearch(nowMs: number): boolean {
    return !isInUse() || nowMs - openedMs >= MAX_USE_MS;
  }

  return {
    open,
    leave,

    /** Opens the network again unless a known one can be joined, or will be in a moment. */
    async recover(signal: AbortSignal): Promise<void> {
      const wasOpen = current !== undefined;
      if ((await returnToKnown(signal)) || signal.aborted) return;
      if (wasOpen || !(await radio.knowsAny())) await open();
    },

    /** Opens or closes the network if it is time to. */
    async watch(signal: AbortSignal): Promise<void> {
      const nowMs = clock.monotonicMs();
      if (radio.status().wifi_connected) return leave();
      const isWired = await radio.isWired();
      if (isWired) reachableMs = nowMs;
      if (nowMs < nextMs) return;
      if (current) {
        if (maySearch(nowMs)) await search(signal);
      } else if (!isWired && (await mustOpen(nowMs))) await open();
    },

    current: (): AccessPoint | undefined => current,
    failure: (): Problem | undefined => failure,

    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
