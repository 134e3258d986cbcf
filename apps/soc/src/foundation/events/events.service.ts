import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem, rateLimited } from "@kit/problem";
import type { Caller, RefreshCallers } from "../caller/caller.ts";
import { ALL_SITES, toScope } from "../caller/scope.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import {
  type EventReaders,
  type EventSights,
  filterSeen,
  formatFrame,
  formatHeartbeat,
  formatOpening,
  isWanted,
  mayReceive,
  type Opening,
  type PlatformEvent,
  parsePlace,
} from "./event.ts";
import type { EventsStore } from "./events.store.ts";
import type { Sink } from "./sink.ts";

export interface EventsServiceDeps {
  runtime: Pick<RuntimeService, "truth" | "choose">;
  store: EventsStore;
  readers: EventReaders;
  sights: EventSights;
  refreshCallers: RefreshCallers;
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
  log: Pick<Log, "warn">;
}
export type EventsService = ReturnType<typeof createEventsService>;

/** What a listener asks for. */
export interface ListenRequest {
  lastEventId?: string | undefined;
  /** Types such as alert.created, or nouns such as alert; all without them. */
  types?: readonly string[] | undefined;
}

interface Listener {
  caller: Caller;
  /** Runs work in the context of its request, in which the database hides the records of other sites, too. */
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
const HEARTBEAT_MS = 15_000;
// Proxies and clients get a fresh connection now and then.
const STREAM_MS = 5 * 60_000;
const PAGE_SIZE = 100;
const MAX_STREAMS_PER_CALLER = 10;
// Backpressure: nothing is written to a reader above this limit; the outbox keeps its events. A reader that stays above
// it is disconnected.
const MAX_PENDING_BYTES = 64 * 1024;
const STALLED_TIMEOUT_MS = 30_000;
const RETENTION_MS = 24 * 3_600_000;
const SWEEP_BATCH_SIZE = 2000;

/** Sends every listener the events since it connected or since its Last-Event-ID: each event once, in one order. */
export function createEventsService(deps: EventsServiceDeps) {
  const { runtime, store, readers, sights, refreshCallers, clock, log } = deps;
  const listeners = new Set<Listener>();
  /** The place up to which this process has read the outbox; undefined while it has no listeners. */
  let tail: bigint | undefined;
  let polling: Promise<void> | undefined;
  let isClosed = false;
  // One loop reads for all listeners, and not in the context of the request that started it.
  const outside = AsyncLocalStorage.snapshot();

  async function openingFor(lastEventId: string | undefined): Promise<Opening> {
    const source = await runtime.choose<EventsStore | undefined>({ database: store, showcase: undefined });
    if (!source) return { place: undefined, isReset: false };
    const last = await source.last();
    if (lastEventId === undefined) return { place: last, isReset: false };
    const known = parsePlace(lastEventId);
    // A place beyond the last one belongs to another database.
    const isKnown = known !== undefined && known <= last && (await source.isKept(known));
    return isKnown ? { place: known, isReset: false } : { place: last, isReset: true };
  }

  /** Ends the streams of callers who have lost access or sites, and takes over the present roles of the others. */
  async function checkCallers(): Promise<void> {
    // Not those that connect during the check: they have just been identified, and the answer does not name them.
    const checked = [...listeners];
    const current = await refreshCallers(checked.map(({ caller }) => caller));
    for (const listener of checked) {
      const caller = current.get(listener.caller);
      if (caller) listener.caller = caller;
      else end(listener);
    }
  }

  function end(listener: Listener): void {
    listeners.delete(listener);
    listener.sink.end();
  }

  async function send(listener: Listener, events: readonly PlatformEvent[]): Promise<void> {
    const { place, caller, inside, types, sink } = listener;
    const news = events.filter((event) => place === undefined || event.place > place);
    const wanted = news.filter((event) => isWanted(event.type, types) && mayReceive(caller, event, readers));
    const scope = toScope(caller);
    const shown = scope === ALL_SITES ? wanted : await inside(() => filterSeen(scope, wanted, readers, sights));
    if (shown.length > 0 && listeners.has(listener)) {
      sink.write(shown.map(formatFrame).join(""));
      listener.wroteAt = clock.monotonicMs();
    }
    listener.place = news.at(-1)?.place ?? place;
  }

  /**
   * Reads once for all listeners that are up to date, and once for each that is behind. Returns whether there is more
   * to read.
   */
  async function deliver(): Promise<boolean> {
    if (!(await runtime.truth()).is_database_available) return false;
    const from = tail ?? (await store.last());
    const events = await store.read(from, PAGE_SIZE);
    tail = events.at(-1)?.place ?? from;
    await checkCallers();
    let isMore = events.length === PAGE_SIZE;
    for (const listener of listeners) {
      listener.place ??= from;
      if (listener.sink.pendingBytes() > MAX_PENDING_BYTES) continue;
      if (listener.place >= from) await send(listener, events);
      else if (await catchUp(listener, listener.place, tail)) isMore = true;
    }
    return isMore;
  }

  async function catchUp(listener: Listener, after: bigint, upTo: bigint): Promise<boolean> {
    const events = await store.read(after, PAGE_SIZE);
    await send(listener, events);
    if (events.length === PAGE_SIZE) return true;
    // This read is later than the one of the tail: no event before the tail is missing.
    if ((listener.place ?? after) < upTo) listener.place = upTo;
    return false;
  }

  function maintain(listener: Listener): void {
    const { sink, place, openedAt, wroteAt } = listener;
    const now = clock.monotonicMs();
    if (sink.pendingBytes() <= MAX_PENDING_BYTES) listener.hadRoomAt = now;
    if (now - listener.hadRoomAt >= STALLED_TIMEOUT_MS) {
      listeners.delete(listener);
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
      for (const listener of listeners) maintain(listener);
      await clock.sleep(isMore ? 0 : POLL_MS);
    }
    tail = undefined;
    polling = undefined;
  }

  return {
    /** Opens the sink when the caller may listen. Returns the function that stops listening. */
    async listen(caller: Caller, { lastEventId, types }: ListenRequest, open: () => Sink): Promise<() => void> {
      const opening = await outside(() => openingFor(lastEventId));
      if (isClosed) throw new Problem("unavailable", "the service is stopping");
      const others = [...listeners].filter((listener) => listener.caller.username === caller.username);
      if (others.length >= MAX_STREAMS_PER_CALLER) {
        throw rateLimited(`more than ${MAX_STREAMS_PER_CALLER} event streams at once`, POLL_MS);
      }
      const now = clock.monotonicMs();
      const sink = open();
      sink.write(formatOpening(opening));
      const inside = AsyncLocalStorage.snapshot();
      const at = { openedAt: now, wroteAt: now, hadRoomAt: now };
      const listener = { caller, inside, types, sink, place: opening.place, ...at };
      listeners.add(listener);
      polling ??= outside(poll);
      return () => void listeners.delete(listener);
    },

    /** Deletes one batch of events older than the retention. Returns how many. */
    async sweep(): Promise<number> {
      const truth = await runtime.truth();
      if (!truth.is_database_available || !truth.is_internal_workflows_allowed) return 0;
      const before = new Date(clock.now().getTime() - RETENTION_MS);
      return store.deleteSome(before, SWEEP_BATCH_SIZE);
    },

    async close(): Promise<void> {
      isClosed = true;
      for (const { sink } of listeners) sink.end();
      listeners.clear();
      await polling;
    },
  };
}
