import type { Clock } from "@kit/clock";

export interface PatienceDeps {
  clock: Pick<Clock, "now" | "sleep">;
  signal: AbortSignal;
}
export type Patience = ReturnType<typeof createPatience>;

/** The log engine is restarted within seconds. */
const MAX_WAIT_MS = 20_000;
const REPEAT_MS = 500;

/**
 * The time that one investigation waits for a log store or a database that is unavailable. It begins with the first failure
 * and all reads and calls share it, so that an investigation waits once and not for each of them.
 */
export function createPatience({ clock, signal }: PatienceDeps) {
  let untilMs: number | undefined;
  return {
    /** Waits a moment. False when the time is over. */
    async wait(): Promise<boolean> {
      const nowMs = clock.now().getTime();
      untilMs ??= nowMs + MAX_WAIT_MS;
      if (nowMs >= untilMs || signal.aborted) return false;
      await clock.sleep(REPEAT_MS, signal);
      return true;
    },
  };
}
