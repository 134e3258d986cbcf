import type { Clock } from "@kit/clock";
import type { Showcase } from "./showcase.ts";

const HOUR_MS = 3_600_000;

/** Derives a value from the showcase, and derives it again after every rebuild of the showcase. */
export type ShowcaseClock = <Built>(build: (showcase: Showcase) => Built) => () => Built;

/**
 * Rebuilds the showcase each hour, for the start of that hour. Its times stay close to now, and nothing changes within
 * the hour: the hashes of the ledger cover the times, and two responses must be consistent.
 */
export function createShowcaseClock(clock: Pick<Clock, "now">, buildShowcase: (now: Date) => Showcase): ShowcaseClock {
  let current: { hour: number; showcase: Showcase } | undefined;

  function currentShowcase(): Showcase {
    const hour = Math.floor(clock.now().getTime() / HOUR_MS);
    if (current?.hour !== hour) current = { hour, showcase: buildShowcase(new Date(hour * HOUR_MS)) };
    return current.showcase;
  }

  return <Built>(build: (showcase: Showcase) => Built) => {
    let last: { showcase: Showcase; built: Built } | undefined;
    return () => {
      const showcase = currentShowcase();
      if (last?.showcase !== showcase) last = { showcase, built: build(showcase) };
      return last.built;
    };
  };
}
