import type { Clock } from "@kit/clock";

export interface StormGuardDeps {
  clock: Pick<Clock, "monotonicMs">;
  /** How many actions may follow each other without a pause. */
  limit: number;
  /** How long it takes to regain one action. */
  regainMs: number;
  /** Called once per storm. */
  onStorm: () => void;
}

/** How long a faulty part must be silent before it is trusted again. */
const QUIET_MS = 5000;

/**
 * Returns whether the next action may be executed. A source that sends more than a person can is ignored until it is
 * silent.
 */
export function createStormGuard({ clock, limit, regainMs, onStorm }: StormGuardDeps): () => boolean {
  let left = limit;
  let lastMs = clock.monotonicMs();
  let isIgnored = false;
  return () => {
    const now = clock.monotonicMs();
    const pauseMs = now - lastMs;
    lastMs = now;
    if (isIgnored && pauseMs < QUIET_MS) return false;
    left = isIgnored ? limit : Math.min(limit, left + pauseMs / regainMs);
    isIgnored = left < 1;
    if (isIgnored) onStorm();
    else left -= 1;
    return !isIgnored;
  };
}
