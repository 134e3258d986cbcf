import type { Clock } from "@kit/clock";
import { type Showcase, showcaseOf } from "./showcase.ts";

const HOUR_MS = 3_600_000;

/** What is made of the showcase, made anew when it is told anew. */
export type Retelling = <Told>(tell: (showcase: Showcase) => Told) => () => Told;

/**
 * Tells the showcase anew each hour, as it is at the beginning of that hour. Its times stay close to now, and within the
 * hour nothing changes: the ledger's hashes are over the times, and what two requests answer must fit together.
 */
export function createRetelling(clock: Pick<Clock, "now">): Retelling {
  let current: { hour: number; showcase: Showcase } | undefined;

  function showcaseNow(): Showcase {
    const hour = Math.floor(clock.now().getTime() / HOUR_MS);
    if (current?.hour !== hour) current = { hour, showcase: showcaseOf(new Date(hour * HOUR_MS)) };
    return current.showcase;
  }

  return <Told>(tell: (showcase: Showcase) => Told) => {
    let last: { showcase: Showcase; told: Told } | undefined;
    return () => {
      const showcase = showcaseNow();
      if (last?.showcase !== showcase) last = { showcase, told: tell(showcase) };
      return last.told;
    };
  };
}
