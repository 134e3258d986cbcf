import type { Clock } from "@kit/clock";
import type { Place } from "../playback/audio-engine.ts";

/** Computes the position of a source between two requests to the engine. */
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

    /** From now on the position advances with time. */
    run(from: Place): void {
      last = from;
      runningSinceMs = clock.monotonicMs();
    },

    /** Stops the position, at its current or the given value. Without effect before the first run. */
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
