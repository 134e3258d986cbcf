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

const WINDOW_MS = 60_000;
/** Ten below the limit of the service, so that two tabs do not hit it at once. */
const MAX_REQUESTS_PER_WINDOW = 90;
const RANKS: Readonly<Record<Priority, number>> = { user: 0, visible: 1, prefetch: 2 };
/** This many requests of the service's limit are reserved for higher priorities. */
const RESERVES: readonly number[] = [0, 3, 30];

export type Pace = ReturnType<typeof createPace>;

/** Sends requests in order of priority, and never faster than the service allows. */
export function createPace({ nowMs, after }: PaceDeps) {
  const sentAtMs: number[] = [];
  const queue: QueuedRequest[] = [];
  const listeners = new Set<() => void>();
  let remaining = Number.POSITIVE_INFINITY;
  let windowEndsAtMs = 0;
  let blockedUntilMs = 0;
  let cancelTimer: (() => void) | undefined;
  let state: PaceState = { waiting: 0, resumesAtMs: undefined };

  function findTurnMs(rank: number): number {
    const now = nowMs();
    while (sentAtMs[0] !== undefined && sentAtMs[0] <= now - WINDOW_MS) sentAtMs.shift();
    const reserve = RESERVES[rank] ?? 0;
    const ownTurn = sentAtMs[sentAtMs.length - (MAX_REQUESTS_PER_WINDOW - reserve)];
    const isShort = windowEndsAtMs > now && remaining <= reserve;
    return Math.max(now, blockedUntilMs, isShort ? windowEndsAtMs : 0, ownTurn === undefined ? 0 : ownTurn + WINDOW_MS);
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
    state = { waiting: queue.length, resumesAtMs: turnMs };
    for (const listener of listeners) listener();
  }

  function count(): void {
    sentAtMs.push(nowMs());
    remaining -= 1;
  }

  return {
    /** Resolves when a request of this priority may be sent; rejects when it is aborted. */
    take: (priority: Priority, signal?: AbortSignal): Promise<void> => {
      const rank = RANKS[priority];
      return new Promise((resolve, reject) => {
        const waiting: QueuedRequest = {
          rank,
          go: () => {
            count();
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

    /** The rate limit headers of a response. */
    note: (left: number | undefined, resetSeconds: number | undefined): void => {
      if (left === undefined || resetSeconds === undefined) return;
      remaining = left;
      windowEndsAtMs = nowMs() + resetSeconds * 1000;
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
