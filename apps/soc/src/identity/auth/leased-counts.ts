import type { Clock } from "@kit/clock";
import type { Budget } from "@kit/http/limits";
import type { Counted, Left } from "./counters.ts";

/** Requests that a process took from the count that all processes share, to count them in its own memory. */
export interface Granted extends Left {
  /** 0 when nothing is left of the window. */
  granted: number;
}

export interface LeasedCountsDeps {
  /** Takes up to that many requests from the client's window. */
  lease: (budget: Budget, client: string, most: number) => Promise<Granted>;
  clock: Pick<Clock, "monotonicMs">;
  maxClients?: number;
}

interface Lease {
  left: number;
  /** What was left for all processes when this one took its portion. */
  shared: number;
  endsAtMs: number;
}

/** A portion is this part of the limit, and at least one request. */
const PORTIONS = 100;
/** Beyond this many clients the lease that was taken first is forgotten, with what is left of it. */
const MAX_CLIENTS = 10_000;

/**
 * Counts the requests of a client in portions: one statement for each portion instead of one for each request. What a
 * process has taken is counted for all at once, so that all of them together never exceed the limit; what it has taken and
 * not used when the window ends is lost to the client.
 */
export function createLeasedCounts({ lease, clock, maxClients = MAX_CLIENTS }: LeasedCountsDeps) {
  const leases = new Map<string, Lease>();
  const taking = new Map<string, Promise<void>>();

  async function take(key: string, budget: Budget, client: string): Promise<void> {
    // The window ends in the database: measured from before the answer, it never ends later here.
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

  /** One portion at a time: requests that come meanwhile wait for it. */
  function takeOnce(key: string, budget: Budget, client: string): Promise<void> {
    const taken = taking.get(key) ?? take(key, budget, client).finally(() => taking.delete(key));
    taking.set(key, taken);
    return taken;
  }

  /** Undefined when the process needs another portion to answer. */
  function countHere(key: string): Counted | undefined {
    const held = leases.get(key);
    const resetMs = (held?.endsAtMs ?? 0) - clock.monotonicMs();
    if (!held || resetMs <= 0) return undefined;
    if (held.left > 0) {
      held.left -= 1;
      return { waitMs: 0, remaining: held.left + held.shared, resetMs };
    }
    // Within a window nothing comes back.
    return held.shared === 0 ? { waitMs: resetMs, remaining: 0, resetMs } : undefined;
  }

  return async function count(budget: Budget, client: string): Promise<Counted> {
    const key = JSON.stringify([budget.name, client]);
    for (;;) {
      const counted = countHere(key);
      if (counted) return counted;
      await takeOnce(key, budget, client);
    }
  };
}
