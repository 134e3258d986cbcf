import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";

/** The silence between two play-throughs of a drill. It can be suspended and continued. */
export function createGap(clock: Pick<Clock, "sleep" | "monotonicMs">) {
  const timer = createTimer(clock);
  let endsAtMs = 0;
  let onOver: () => void = () => undefined;
  /** The remaining time of a suspended gap. */
  let suspendedMs: number | undefined;

  /** Undefined when there is no gap. */
  function leftMs(): number | undefined {
    return timer.isSet() ? Math.max(0, endsAtMs - clock.monotonicMs()) : undefined;
  }

  function begin(ms: number, over: () => void): void {
    suspendedMs = undefined;
    endsAtMs = clock.monotonicMs() + ms;
    onOver = over;
    timer.set(ms, over);
  }

  function cancel(): void {
    timer.cancel();
    suspendedMs = undefined;
  }

  return {
    isOn: () => timer.isSet(),
    leftMs,
    begin,
    cancel,

    shortenTo(maxMs: number): void {
      const left = leftMs();
      if (left !== undefined && left > maxMs) begin(maxMs, onOver);
      if (suspendedMs !== undefined) suspendedMs = Math.min(suspendedMs, maxMs);
    },

    suspend(): void {
      const left = leftMs();
      timer.cancel();
      suspendedMs = left;
    },

    unsuspend(): void {
      if (suspendedMs !== undefined) begin(suspendedMs, onOver);
    },
  };
}
