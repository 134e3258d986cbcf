import type { Clock } from "@kit/clock";
import type { Showcase } from "./showcase.ts";

const HOUR_MS = 3_600_000;

/** Builds something from the showcase, and again whenever the showcase itself was built again. */
export type ShowcaseClock = <Built>(build: (showcase: Showcase) => Built) => () => Built;

/**
 * Builds the showcase again each hour, as it is at the beginning of that hour. Its times stay close to now, and within
 * the hour nothing changes: the ledger's hashes cover the times, and the answers to two requests must fit together.
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
