import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Background } from "../base.ts";
import { createPollingLoop } from "../polling-loop.ts";
import { type PlatformEvent, parsePlace } from "./event.ts";
import type { StreamEvent, StreamSource } from "./event-stream.ts";
import type { RecentEvents } from "./recent-events.ts";

export interface EventFeedDeps {
  /** The stream between machines. One process copies the outbox to it. */
  source: Pick<StreamSource, "last" | "readAfter">;
  recent: Pick<RecentEvents, "add" | "setLive">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const RETRY_MS = 1000;
const FEED_BATCH_SIZE = 1000;

/**
 * Reads new events from the stream between machines, so that this process need not query the database for them. It has
 * no cursor: whatever it misses is read from the database.
 */
export function createEventFeed({ source, recent, clock, log }: EventFeedDeps): Background {
  async function follow(_turn: number, closing: AbortSignal): Promise<void> {
    const reader = await source.readAfter(await source.last(), closing);
    recent.setLive(true);
    try {
      while (!closing.aborted) {
        const read = await reader.read({ most: FEED_BATCH_SIZE, upTo: undefined });
        for (const event of read?.events.flatMap(toPlatformEvents) ?? []) recent.add(event);
      }
    } finally {
      recent.setLive(false);
      await reader.close();
    }
  }

  const failure = "reading the stream of events failed, reading the database instead";
  return createPollingLoop({ round: follow, waitMs: RETRY_MS, failure, clock, log });
}

/** Returns nothing for an event from an older release, which has no place. */
function toPlatformEvents(event: StreamEvent): PlatformEvent[] {
  const { at, type, actor = null, subject_type = null, subject_id, data } = event;
  const place = event.place === undefined ? undefined : parsePlace(event.place);
  return place === undefined ? [] : [{ place, at: new Date(at), type, actor, subject_type, subject_id, data }];
}
