import type { Clock } from "@kit/clock";
import type { Place } from "../playback/audio-engine.ts";

/** Knows where a source stands between two questions to the engine. */
export type Playhead = ReturnType<typeof createPlayhead>;

export function createPlayhead(clock: Pick<Clock, "monotonicMs">) {
  let last: Place | undefined;
  let runningSinceMs: number | undefined;

  function place(): Place {
    if (!last) return { positionMs: 0, durationMs: 0 };
    const { positionMs, durationMs } = last;
    const reached = positionMs + (runningSinceMs === undefined ? 0 : clock.monotonicMs() - runningSinceMs);
    return { positionMs: durationMs > 0 ? Math.min(reached, durationMs) : reached, durationMs };
  }

  return {
    place,

    /** From here on it moves with time. */
    run(from: Place): void {
      last = from;
      runningSinceMs = clock.monotonicMs();
    },

    /** It stands still, where it is or where it is put. What has never run stands nowhere. */
    stand(positionMs = place().positionMs): void {
      if (last) last = { ...last, positionMs };
      runningSinceMs = undefined;
    },

    clear(): void {
      last = undefined;
      runningSinceMs = undefined;
    },
  };
}
