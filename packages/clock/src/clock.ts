import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { countDown, MAX_TIMER_MS } from "./count-down.ts";

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
    sleep: (ms, signal) => countDown(ms, (partMs) => wait(partMs, undefined, signal ? { signal } : {})),
    deadline: (ms) => (ms > MAX_TIMER_MS ? farDeadline(ms) : AbortSignal.timeout(ms)),
  };
}

function farDeadline(ms: number): AbortSignal {
  const controller = new AbortController();
  void countDown(ms, (partMs) => wait(partMs, undefined, { ref: false })).then(() => {
    controller.abort(new DOMException("the deadline has passed", "TimeoutError"));
  });
  return controller.signal;
}
