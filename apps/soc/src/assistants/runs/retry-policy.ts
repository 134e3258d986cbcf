import type { Clock } from "@kit/clock";

export interface RetryPolicyDeps {
  clock: Pick<Clock, "now" | "sleep">;
  signal: AbortSignal;
}
export type RetryPolicy = ReturnType<typeof createRetryPolicy>;

/** The log engine restarts within seconds. */
const MAX_WAIT_MS = 20_000;
const REPEAT_MS = 500;

/**
 * Limits how long one investigation waits for an unavailable log store or database. The time starts with the first
 * failure and is shared by all reads and calls.
 */
export function createRetryPolicy({ clock, signal }: RetryPolicyDeps) {
  let untilMs: number | undefined;
  return {
    /** Waits briefly. Returns false when the time is over. */
    async wait(): Promise<boolean> {
      const nowMs = clock.now().getTime();
      untilMs ??= nowMs + MAX_WAIT_MS;
      if (nowMs >= untilMs || signal.aborted) return false;
      await clock.sleep(REPEAT_MS, signal);
      return true;
    },
  };
}
