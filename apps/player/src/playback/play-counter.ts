import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";

const COUNTED_AFTER_MS = 30_000;

/** Counts each play once: after 30 s of sound or half the length, whichever comes first. Pauses do not count. */
export interface PlayCounter {
  /** A new play begins, with no time played yet. */
  begin(count: () => void): void;
  /** Audio runs. The duration is 0 for a live stream. */
  flow(durationMs: number): void;
  /** Audio has stopped for now. */
  rest(): void;
}

export function createPlayCounter(clock: Pick<Clock, "sleep" | "monotonicMs">): PlayCounter {
  const timer = createTimer(clock);
  let playedMs = 0;
  let flowingSince: number | undefined;
  let onCounted: (() => void) | undefined;

  function rest(): void {
    timer.cancel();
    if (flowingSince !== undefined) playedMs += clock.monotonicMs() - flowingSince;
    flowingSince = undefined;
  }

  return {
    begin(count) {
      rest();
      playedMs = 0;
      onCounted = count;
    },
    flow(durationMs) {
      rest();
      if (!onCounted) return;
      flowingSince = clock.monotonicMs();
      const neededMs = durationMs > 0 ? Math.min(COUNTED_AFTER_MS, durationMs / 2) : COUNTED_AFTER_MS;
      timer.set(neededMs - playedMs, () => {
        const count = onCounted;
        onCounted = undefined;
        count?.();
      });
    },
    rest,
  };
}
