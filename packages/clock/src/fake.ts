import type { Clock } from "./clock.ts";
import { buildUuidv7, type Ids } from "./ids.ts";

interface Sleeper {
  at: number;
  wake: () => void;
}

/** A clock that moves only when a test moves it. */
export interface FakeClock extends Clock {
  /** Passes time: wakes every sleeper that is due, in order, and lets each one run before the next. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock only, as an operator or a time server does. */
  jumpTo(now: Date): void;
}

export function createFakeClock(start = new Date("2026-01-01T00:00:00Z")): FakeClock {
  let elapsed = 0;
  let epoch = start.getTime();
  const sleepers = new Set<Sleeper>();

  function schedule(ms: number, wake: () => void): () => void {
    const sleeper = { at: elapsed + ms, wake };
    sleepers.add(sleeper);
    return () => {
      sleepers.delete(sleeper);
    };
  }

  /** If two are due at once, returns the one that went to sleep first. */
  function takeFirst(until: number): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of sleepers) {
      if (sleeper.at <= until && (first === undefined || sleeper.at < first.at)) first = sleeper;
    }
    if (first) sleepers.delete(first);
    return first;
  }

  return {
    now: () => new Date(epoch + elapsed),
    monotonicMs: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          cancel();
          reject(signal?.reason);
        };
        const cancel = schedule(ms, () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        });
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    deadline: (ms) => {
      const controller = new AbortController();
      schedule(ms, () => controller.abort(new DOMException("the deadline has passed", "TimeoutError")));
      return controller.signal;
    },
    jumpTo: (now) => {
      epoch = now.getTime() - elapsed;
    },
    async advance(ms) {
      const until = elapsed + ms;
      for (;;) {
        const due = takeFirst(until);
        if (!due) break;
        elapsed = Math.max(elapsed, due.at);
        due.wake();
        await settle();
      }
      elapsed = until;
      await settle();
    },
  };
}

/** Ids that count: the same test makes the same ids. */
export function createFakeIds(): Ids {
  let count = 0;
  const chance = (sizeBytes: number) => {
    count += 1;
    const bytes = Buffer.alloc(sizeBytes);
    bytes.writeUInt32BE(count, sizeBytes - 4);
    return bytes;
  };
  return { next: () => buildUuidv7(0, chance(10).toString("hex")), secret: chance };
}

/** One turn of the event loop: every promise that can settle has settled. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
