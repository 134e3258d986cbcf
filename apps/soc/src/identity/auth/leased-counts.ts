import type { Clock } from "@kit/clock";
import type { Budget } from "@kit/http/limits";
import type { CountResult, WindowState } from "./counters.ts";

/** Requests that a process took from the shared count, to count them in its own memory. */
export interface LeaseResult extends WindowState {
  /** 0 if the window is exhausted. */
  granted: number;
}

export interface LeasedCountsDeps {
  /** Takes up to this many requests from the client's window. */
  lease: (budget: Budget, client: string, most: number) => Promise<LeaseResult>;
  clock: Pick<Clock, "monotonicMs">;
  maxClients?: number;
}

interface Lease {
  left: number;
  /** The rest for all processes when this one took its portion. */
  shared: number;
  endsAtMs: number;
}

/** A portion is this fraction of the limit, but at least one request. */
const PORTIONS = 100;
/** Beyond this many clients the oldest lease is evicted with its unused rest. */
const MAX_CLIENTS = 10_000;

/**
 * Counts the requests of a client in portions, with one statement per portion instead of one per request. A portion
 * counts for all processes as soon as it is taken, so that they never exceed the limit together. The client loses the
 * unused part of a portion when the window ends.
 */
export function createLeasedCounts({ lease, clock, maxClients = MAX_CLIENTS }: LeasedCountsDeps) {
  const leases = new Map<string, Lease>();
  const taking = new Map<string, Promise<void>>();

  async function take(key: string, budget: Budget, client: string): Promise<void> {
    // The window ends on the database clock. Measured from before the response, it never ends later here.
    const nowMs = clock.monotonicMs();
    const most = Math.max(1, Math.floor(budget.limit / PORTIONS));
    const { granted, remaining, resetMs } = await lease(budget, client, most);
    leases.delete(key);
    leases.set(key, { left: granted, shared: remaining, endsAtMs: nowMs + resetMs });
    if (leases.size <= maxClients) return;
    for (const oldest of leases.keys()) {
      leases.delete(oldest);
      return;
    }
  }

  /** One portion at a time: concurrent requests wait for it. */
  function takeOnce(key: string, budget: Budget, client: string): Promise<void> {
    const taken = taking.get(key) ?? take(key, budget, client).finally(() => taking.delete(key));
    taking.set(key, taken);
    return taken;
  }

  /** Undefined if the process needs another portion to answer. */
  function countHere(key: string): CountResult | undefined {
    const held = leases.get(key);
    const resetMs = (held?.endsAtMs ?? 0) - clock.monotonicMs();
    if (!held || resetMs <= 0) return undefined;
    if (held.left > 0) {
      held.left -= 1;
      return { waitMs: 0, remaining: held.left + held.shared, resetMs };
    }
    // Within a window no requests are returned.
    return held.shared === 0 ? { waitMs: resetMs, remaining: 0, resetMs } : undefined;
  }

  return async function count(budget: Budget, client: string): Promise<CountResult> {
    const key = JSON.stringify([budget.name, client]);
    for (;;) {
      const counted = countHere(key);
      if (counted) return counted;
      await takeOnce(key, budget, client);
    }
  };
}
