import type { Clock } from "@kit/clock";
import type { PlatformEvent } from "./event.ts";
import type { EventsStore } from "./events.store.ts";

/** For readers that reconnect within a minute. */
const MAX_RECENT_EVENTS = 1000;

/** How long the feed is trusted to deliver every event before the database is checked. */
const CHECK_MS = 2000;

export interface RecentEventsDeps {
  store: EventsStore;
  clock: Pick<Clock, "monotonicMs">;
  maxEvents?: number;
}

/**
 * The newest events, in memory. The database is read once for all listeners that are up to date, and not again for each
 * listener that reconnects. The events are those after `start` up to `last`, without a gap.
 *
 * If a feed delivers events from the stream between machines, the database is read only if the feed has failed or
 * skipped
 * an event, or has been trusted for two seconds.
 */
export function createRecentEvents({ store, clock, maxEvents = MAX_RECENT_EVENTS }: RecentEventsDeps) {
  let start: bigint | undefined;
  let last = 0n;
  let events: PlatformEvent[] = [];
  let isLive = false;
  /** The newest place that the feed has delivered. */
  let fedUpTo: bigint | undefined;
  let checkedMs = Number.NEGATIVE_INFINITY;

  const covers = (place: bigint) => start !== undefined && place >= start && place <= last;
  const isFed = () => isLive && fedUpTo === last && clock.monotonicMs() - checkedMs < CHECK_MS;

  /** Stores events that directly follow a place. The oldest ones are dropped. */
  function remember(after: bigint, following: readonly PlatformEvent[]): void {
    if (start === undefined || after > last) {
      start = after;
      last = after;
      events = [];
    }
    if (after !== last) return;
    events.push(...following);
    last = events.at(-1)?.place ?? last;
    const dropped = events.splice(0, Math.max(events.length - maxEvents, 0));
    start = dropped.at(-1)?.place ?? start;
  }

  return {
    last: () => store.last(),

    async read(after: bigint, limit: number): Promise<PlatformEvent[]> {
      if (covers(after) && (after < last || isFed())) {
        // Readers are mostly close to the end.
        const before = events.findLastIndex(({ place }) => place <= after);
        return events.slice(before + 1, before + 1 + limit);
      }
      const nowMs = clock.monotonicMs();
      const found = await store.read(after, limit);
      remember(after, found);
      checkedMs = nowMs;
      return found;
    },

    isKept: async (place: bigint): Promise<boolean> => covers(place) || store.isKept(place),

    deleteSome: (before: Date, limit: number) => store.deleteSome(before, limit),

    /** Whether all events after the place, up to the newest that was read, are in memory. */
    covers,

    /** Call it when the last reader leaves: later events would otherwise be missing for the next reader. */
    forget(): void {
      start = undefined;
    },

    /** Sets whether the feed runs. */
    setLive(isRunning: boolean): void {
      isLive = isRunning;
    },

    /** Adds an event of the feed if it is the next one. */
    add(event: PlatformEvent): void {
      if (fedUpTo === undefined || event.place > fedUpTo) fedUpTo = event.place;
      if (start !== undefined && event.place === last + 1n) remember(last, [event]);
    },
  };
}
export type RecentEvents = ReturnType<typeof createRecentEvents>;
