/** Priorities: what the user waits for, then what the page shows, then prefetches. */
export type Priority = "user" | "visible" | "prefetch";

export interface PaceDeps {
  nowMs: () => number;
  /** Schedules the task; the returned function cancels it. */
  after: (delayMs: number, task: () => void) => () => void;
}

export interface PaceState {
  /** Number of queued requests. */
  waiting: number;
  /** When the next one is sent; undefined if the queue is empty. */
  resumesAtMs: number | undefined;
}

interface QueuedRequest {
  rank: number;
  go: () => void;
}

const RANKS: Readonly<Record<Priority, number>> = { user: 0, visible: 1, prefetch: 2 };
/** This share of the service's limit is reserved for higher priorities. */
const RESERVED_SHARES: readonly number[] = [0, 0.03, 0.3];
const WINDOW_MS = 60_000;

/** The rate limit headers of a response. */
export interface LimitReading {
  /** Requests per window. */
  limit: number;
  /** Requests left in this window, of all clients of the caller. */
  remaining: number;
  resetSeconds: number;
}

export type Pace = ReturnType<typeof createPace>;

/** Sends requests in order of priority, and never faster than the last response of the service allows. */
export function createPace({ nowMs, after }: PaceDeps) {
  const queue: QueuedRequest[] = [];
  const listeners = new Set<() => void>();
  let limit = Number.POSITIVE_INFINITY;
  let remaining = Number.POSITIVE_INFINITY;
  let windowEndsAtMs = Number.POSITIVE_INFINITY;
  let blockedUntilMs = 0;
  let cancelTimer: (() => void) | undefined;
  let state: PaceState = { waiting: 0, resumesAtMs: undefined };

  function findTurnMs(rank: number): number {
    const now = nowMs();
    if (windowEndsAtMs <= now) [remaining, windowEndsAtMs] = [limit, now + WINDOW_MS];
    const reserve = Number.isFinite(limit) ? Math.floor(limit * (RESERVED_SHARES[rank] ?? 0)) : 0;
    const isShort = remaining <= reserve;
    return Math.max(now, blockedUntilMs, isShort ? windowEndsAtMs : 0);
  }

  function release(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    let turnMs: number | undefined;
    while (queue[0]) {
      turnMs = findTurnMs(queue[0].rank);
      if (turnMs > nowMs()) break;
      turnMs = undefined;
      queue.shift()?.go();
    }
    if (turnMs !== undefined) cancelTimer = after(turnMs - nowMs(), release);
    if (state.waiting === queue.length && state.resumesAtMs === turnMs) return;
    state = { waiting: queue.length, resumesAtMs: turnMs };
    for (const listener of listeners) listener();
  }

  return {
    /** Resolves when a request of this priority may be sent; rejects when it is aborted. */
    take: (priority: Priority, signal?: AbortSignal): Promise<void> => {
      const rank = RANKS[priority];
      return new Promise((resolve, reject) => {
        const waiting: QueuedRequest = {
          rank,
          go: () => {
            remaining -= 1;
            signal?.removeEventListener("abort", leave);
            resolve();
          },
        };
        function leave(): void {
          queue.splice(queue.indexOf(waiting), 1);
          reject(signal?.reason);
          release();
        }
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener("abort", leave, { once: true });
        const place = queue.findIndex((other) => other.rank > rank);
        queue.splice(place < 0 ? queue.length : place, 0, waiting);
        release();
      });
    },

    note: (reading: LimitReading): void => {
      ({ limit, remaining } = reading);
      windowEndsAtMs = nowMs() + reading.resetSeconds * 1000;
      release();
    },

    /** The service refused a request because of its rate limit. */
    block: (seconds: number): void => {
      blockedUntilMs = Math.max(blockedUntilMs, nowMs() + seconds * 1000);
      release();
    },

    read: () => state,

    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
