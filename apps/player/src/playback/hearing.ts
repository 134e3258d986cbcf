import type { Clock } from "@kit/clock";
import { createTimer } from "./timer.ts";

const LONG_ENOUGH_MS = 30_000;

/** Counts one play once: after 30 s of sound or half the length, whichever is first. Pauses do not count. */
export interface Hearing {
  /** A new play begins; nothing of it was heard yet. */
  begin(count: () => void): void;
  /** Sound runs. The length is 0 for a live stream. */
  flow(durationMs: number): void;
  /** Sound has stopped for now. */
  rest(): void;
}

export function createHearing(clock: Pick<Clock, "sleep" | "monotonicMs">): Hearing {
  const timer = createTimer(clock);
  let heardMs = 0;
  let flowingSince: number | undefined;
  let whenHeard: (() => void) | undefined;

  function rest(): void {
    timer.cancel();
    if (flowingSince !== undefined) heardMs += clock.monotonicMs() - flowingSince;
    flowingSince = undefined;
  }

  return {
    begin(count) {
      rest();
      heardMs = 0;
      whenHeard = count;
    },
    flow(durationMs) {
      rest();
      if (!whenHeard) return;
      flowingSince = clock.monotonicMs();
      const neededMs = durationMs > 0 ? Math.min(LONG_ENOUGH_MS, durationMs / 2) : LONG_ENOUGH_MS;
      timer.set(neededMs - heardMs, () => {
        const count = whenHeard;
        whenHeard = undefined;
        count?.();
      });
    },
    rest,
  };
}
