import type { Clock } from "@kit/clock";

/** How many requests one client may make in one window. */
export interface Budget {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

export interface FixedWindows {
  /** Counts one request. Answers 0 when it may pass, else the milliseconds until the client's window ends. */
  take(budget: Budget, client: string): number;
  /** The remaining part of the client's window. */
  left(budget: Budget, client: string): { remaining: number; resetMs: number };
  /** Takes one back that turned out not to count. */
  giveBack(budget: Budget, client: string): void;
}

interface Window {
  count: number;
  endsAt: number;
}

export interface FixedWindowsDeps {
  clock: Pick<Clock, "monotonicMs">;
  /** Beyond this many clients in a class at once, the one that was silent longest is forgotten: memory stays bounded. */
  maxClients?: number;
}

/** Fixed windows in memory, on monotonic time: a clock that is set back or forward neither frees nor locks out a client. */
export function createFixedWindows({ clock, maxClients = 10_000 }: FixedWindowsDeps): FixedWindows {
  const classes = new Map<string, Map<string, Window>>();

  function findWindow(budget: Budget, client: string, now: number): Window {
    const windows = classes.get(budget.name) ?? new Map<string, Window>();
    classes.set(budget.name, windows);
    const current = windows.get(client);
    const isOpen = current !== undefined && current.endsAt > now;
    const window = isOpen ? current : { count: 0, endsAt: now + budget.windowMs };
    // A Map keeps the order of insertion: the first client is the one that was silent longest.
    windows.delete(client);
    windows.set(client, window);
    if (windows.size > maxClients) dropFirst(windows);
    return window;
  }

  return {
    take(budget, client) {
      const now = clock.monotonicMs();
      const window = findWindow(budget, client, now);
      if (window.count >= budget.limit) return window.endsAt - now;
      window.count += 1;
      return 0;
    },

    left(budget, client) {
      const now = clock.monotonicMs();
      const { count, endsAt } = findWindow(budget, client, now);
      return { remaining: Math.max(budget.limit - count, 0), resetMs: endsAt - now };
    },

    giveBack(budget, client) {
      const window = findWindow(budget, client, clock.monotonicMs());
      window.count = Math.max(0, window.count - 1);
    },
  };
}

function dropFirst(windows: Map<string, Window>): void {
  for (const client of windows.keys()) {
    windows.delete(client);
    return;
  }
}
