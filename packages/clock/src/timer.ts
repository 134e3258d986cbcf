import type { Clock } from "./clock.ts";

/** A single timer: setting it again replaces the previous one. */
export interface Timer {
  set(ms: number, work: () => void): void;
  cancel(): void;
  isSet(): boolean;
}

export function createTimer(clock: Pick<Clock, "sleep">): Timer {
  let pending: AbortController | undefined;

  function cancel(): void {
    pending?.abort();
    pending = undefined;
  }

  async function wait(ms: number, work: () => void, mine: AbortController): Promise<void> {
    try {
      await clock.sleep(ms, mine.signal);
    } catch (error) {
      if (mine.signal.aborted) return;
      throw error;
    }
    // The clock may resolve a sleep in the same turn in which it was cancelled.
    if (mine.signal.aborted) return;
    pending = undefined;
    work();
  }

  return {
    set(ms, work) {
      cancel();
      pending = new AbortController();
      void wait(Math.max(0, ms), work, pending);
    },
    cancel,
    isSet: () => pending !== undefined,
  };
}
