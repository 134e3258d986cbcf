import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem, rateLimited } from "@kit/problem";
import { ALL_SITES, type Caller, type RefreshCallers, toScope } from "../caller/caller.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import { findConcerned, formatAudience, groupByFrames } from "./audience.ts";
import {
  type EventReaders,
  type EventSights,
  filterSeen,
  formatFrame,
  formatHeartbeat,
  formatOpening,
  isWanted,
  mayReceive,
  type PlatformEvent,
  parsePlace,
  type StreamStart,
} from "./event.ts";
import type { RecentEvents } from "./recent-events.ts";
import type { Sink } from "./sink.ts";

export interface EventsServiceDeps {
  runtime: Pick<RuntimeService, "truth" | "choose">;
  store: RecentEvents;
  readers: EventReaders;
  sights: EventSights;
  refreshCallers: RefreshCallers;
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
  log: Pick<Log, "warn">;
}
export type EventsService = ReturnType<typeof createEventsService>;

/** The options of a listener. */
export interface ListenRequest {
  lastEventId?: string | undefined;
  /** Types such as alert.created, or nouns such as alert; undefined selects all. */
  types?: readonly string[] | undefined;
}

interface Listener {
  caller: Caller;
  audience: string;
  /** Runs work in the context of the request, in which PostgreSQL also hides the records of other sites. */
  inside: ReturnType<typeof AsyncLocalStorage.snapshot>;
  types: readonly string[] | undefined;
  sink: Sink;
  /** All events up to this place were sent. */
  place: bigint | undefined;
  openedAt: number;
  wroteAt: number;
  hadRoomAt: number;
}

const POLL_MS = 250;
// With many listeners, fewer and larger writes save more time than they cost.
const MAX_POLL_MS = 300;
const POLL_MS_PER_LISTENER = 0.05;
// Other requests are served between two batches of listeners.
const LISTENER_BATCH_SIZE = 500;
const HEARTBEAT_MS = 15_000;
// Streams end regularly so that proxies and clients open fresh connections.
const STREAM_MS = 5 * 60_000;
const PAGE_SIZE = 100;
const MAX_STREAMS_PER_CALLER = 10;
// Backpressure: above this limit nothing is written to a reader; the outbox keeps its events. A reader that stays above
// it is disconnected.
const MAX_PENDING_BYTES = 64 * 1024;
const STALLED_TIMEOUT_MS = 30_000;
const RETENTION_MS = 24 * 3_600_000;
const SWEEP_BATCH_SIZE = 2000;

/**
 * Sends every listener the events since it connected or since its Last-Event-ID, each exactly once and in one order.
 */
export function createEventsService(deps: EventsServiceDeps) {
  const { runtime, store, readers, sights, refreshCallers, clock, log } = deps;
  const listeners = new Set<Listener>();
  const streamsByUser = new Map<string, number>();
  const frames = new WeakMap<PlatformEvent, string>();
  /** The place up to which this process has read the outbox; undefined without listeners. */
  let tail: bigint | undefined;
  let polling: Promise<void> | undefined;
  let isClosed = false;
  // One loop reads for all listeners, so it must not inherit the context of the request that started it.
  const outside = AsyncLocalStorage.snapshot();

  async function openingFor(lastEventId: string | undefined): Promise<StreamStart> {
    const source = await runtime.choose<RecentEvents | undefined>({ database: store, showcase: undefined });
    if (!source) return { place: undefined, isReset: false };
    const known = lastEventId === undefined ? undefined : parsePlace(lastEventId);
    if (known !== undefined && store.covers(known)) return { place: known, isReset: false };
    // The loop reads from there, so all later events are sent.
    if (lastEventId === undefined) return { place: tail ?? (await source.last()), isReset: false };
    const last = await source.last();
    // A place beyond the last one belongs to another database.
    const isKnown = known !== undefined && known <= last && (await source.isKept(known));
    return isKnown ? { place: known, isReset: false } : { place: last, isReset: true };
  }

  /** Ends the streams of callers who have lost access or sites, and updates the roles of the others. */
  async function checkCallers(): Promise<void> {
    // Excludes listeners that connect during the check: they have just been authenticated, and the result does not
    // contain them.
    const checked = [...listeners];
    const current = await refreshCallers(checked.map(({ caller }) => caller));
    for (const listener of checked) {
      const caller = current.get(listener.caller);
      if (!caller) end(listener);
      else if (caller !== listener.caller) {
        listener.caller = caller;
        listener.audience = formatAudience(caller, listener.types);
      }
    }
  }

  function remove(listener: Listener): void {
    if (!listeners.delete(listener)) return;
    const { username } = listener.caller;
    const left = (streamsByUser.get(username) ?? 1) - 1;
    if (left === 0) streamsByUser.delete(username);
    else streamsByUser.set(username, left);
  }

  function end(listener: Listener): void {
    remove(listener);
    listener.sink.end();
  }

  function frameFor(event: PlatformEvent): string {
    const frame = frames.get(event) ?? formatFrame(event);
    frames.set(event, frame);
    return frame;
  }

  /** Returns the frames of the events that the listener wants and may receive; undefined if there are none. */
  async function buildFrames(listener: Listener, events: readonly PlatformEvent[]): Promise<Buffer | undefined> {
    const { caller, inside, types } = listener;
    const wanted = events.filter((event) => isWanted(event.type, types) && mayReceive(caller, event, readers));
    const scope = toScope(caller);
    const shown = scope === ALL_SITES ? wanted : await inside(() => filterSeen(scope, wanted, readers, sights));
    return shown.length > 0 ? Buffer.from(shown.map(frameFor).join("")) : undefined;
  }

  /** Sends the same frames to all of the listeners, which have the same place and audience. */
  async function send(group: readonly Listener[], events: readonly PlatformEvent[]): Promise<void> {
    const [first] = group;
    if (!first) return;
    const { place } = first;
    const news = events.filter((event) => place === undefined || event.place > place);
    const built = await buildFrames(first, news);
    const last = news.at(-1)?.place ?? place;
    const now = clock.monotonicMs();
    for (const [index, listener] of group.entries()) {
      if (index > 0 && index % LISTENER_BATCH_SIZE === 0) await clock.sleep(0);
      if (built && listeners.has(listener)) {
        listener.sink.write(built);
        listener.wroteAt = now;
      }
      listener.place = last;
    }
  }

  /**
   * Reads once for all listeners that are up to date, and builds frames once per audience. Listeners that are behind
   * catch up. Returns whether there is more to read.
   */
  async function deliver(): Promise<boolean> {
    if (!(await runtime.truth()).is_database_available) return false;
    const from = tail ?? (await store.last());
    const events = await store.read(from, PAGE_SIZE);
    tail = events.at(-1)?.place ?? from;
    await checkCallers();
    const open = [...listeners].filter(({ sink }) => sink.pendingBytes() <= MAX_PENDING_BYTES);
    const placed = open.map((listener) => Object.assign(listener, { place: listener.place ?? from }));
    const current = events.length > 0 ? placed.filter(({ place }) => place >= from) : [];
    for (const group of groupByFrames(current, from, findConcerned(events, readers))) await send(group, events);
    let isMore = events.length === PAGE_SIZE;
    for (const listener of placed.filter((each) => each.place < from && listeners.has(each))) {
      if (await catchUp(listener, listener.place, tail)) isMore = true;
    }
    return isMore;
  }

  async function catchUp(listener: Listener, after: bigint, upTo: bigint): Promise<boolean> {
    const events = await store.read(after, PAGE_SIZE);
    await send([listener], events);
    if (events.length === PAGE_SIZE) return true;
    // This read is later than the read of the tail, so no event before the tail is missing.
    if ((listener.place ?? after) < upTo) listener.place = upTo;
    return false;
  }

  function maintain(listener: Listener, now: number): void {
    const { sink, place, openedAt, wroteAt } = listener;
    if (sink.pendingBytes() <= MAX_PENDING_BYTES) listener.hadRoomAt = now;
    if (now - listener.hadRoomAt >= STALLED_TIMEOUT_MS) {
      remove(listener);
      sink.cut();
    } else if (now - openedAt >= STREAM_MS) {
      end(listener);
    } else if (now - wroteAt >= HEARTBEAT_MS) {
      sink.write(formatHeartbeat(place));
      listener.wroteAt = now;
    }
  }

  async function poll(): Promise<void> {
    while (listeners.size > 0) {
      const isMore = await deliver().catch((error: unknown) => {
        log.warn({ err: error }, "reading events failed");
        return false;
      });
      const now = clock.monotonicMs();
      for (const listener of listeners) maintain(listener, now);
      const pauseMs = Math.min(Math.max(listeners.size * POLL_MS_PER_LISTENER, POLL_MS), MAX_POLL_MS);
      await clock.sleep(isMore ? 0 : pauseMs);
    }
    tail = undefined;
    store.forget();
    polling = undefined;
  }

  return {
    /** Opens the sink if the caller may listen. Returns the function that stops listening. */
    async listen(caller: Caller, { lastEventId, types }: ListenRequest, open: () => Sink): Promise<() => void> {
      const opening = await outside(() => openingFor(lastEventId));
      if (isClosed) throw new Problem("unavailable", "the service is stopping");
      const { username } = caller;
      const others = streamsByUser.get(username) ?? 0;
      if (others >= MAX_STREAMS_PER_CALLER) {
        throw rateLimited(`more than ${MAX_STREAMS_PER_CALLER} event streams at once`, POLL_MS);
      }
      const now = clock.monotonicMs();
      const sink = open();
      sink.write(formatOpening(opening));
      const inside = AsyncLocalStorage.snapshot();
      const at = { openedAt: now, wroteAt: now, hadRoomAt: now };
      const audience = formatAudience(caller, types);
      const listener = { caller, audience, inside, types, sink, place: opening.place, ...at };
      listeners.add(listener);
      streamsByUser.set(username, others + 1);
      polling ??= outside(poll);
      return () => remove(listener);
    },

    /** Deletes one batch of events older than the retention. Returns their number. */
    async sweep(): Promise<number> {
      const truth = await runtime.truth();
      if (!truth.is_database_available || !truth.is_internal_workflows_allowed) return 0;
      const before = new Date(clock.now().getTime() - RETENTION_MS);
      return store.deleteSome(before, SWEEP_BATCH_SIZE);
    },

    async close(): Promise<void> {
      isClosed = true;
      for (const listener of listeners) end(listener);
      await polling;
    },
  };
}
