import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";

/** Time as a parameter. The only place that reads the machine's clocks or starts its timers. */
export interface Clock {
  /** The wall clock. It may jump, in both directions. */
  now(): Date;
  /** Milliseconds since an arbitrary start. It never jumps; use it to measure and to expire. */
  monotonicMs(): number;
  /** Resolves after the time has passed; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A signal that aborts after the time has passed. It never keeps the process alive. */
  deadline(ms: number): AbortSignal;
}

export function createClock(): Clock {
  return {
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
    deadline: (ms) => AbortSignal.timeout(ms),
  };
}
