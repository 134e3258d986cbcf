import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem, rateLimited } from "@kit/problem";
import {
  type Caller,
  includesSite,
  isCallerAllowed,
  type RefreshCallers,
  toScope,
} from "../../foundation/caller/caller.ts";
import type { Sink } from "../../foundation/events/sink.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogReads } from "../../ports/log-store.ts";
import { type Predicate, toPredicate } from "../query/predicate.ts";
import { toLogBody } from "../search/log-body.ts";
import { buildLogCondition, type LogFilter } from "../search/log-selection.ts";

export interface TailServiceDeps {
  runtime: Pick<RuntimeService, "truth" | "choose">;
  /** Reads in the lane of people; the showcase has no new logs. */
  logs: Pick<LogReads, "read">;
  refreshCallers: RefreshCallers;
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep" | "deadline">;
  log: Pick<Log, "warn">;
}
export type TailService = ReturnType<typeof createTailService>;

interface Follower {
  caller: Caller;
  isWanted: Predicate;
  sink: Sink;
  openedAt: number;
  wroteAt: number;
  hadRoomAt: number;
}

export const NEEDS = ["siem:read"] as const;

const POLL_MS = 1000;
/** A batch becomes searchable shortly after its ingest time. */
const SETTLED_MS = 2000;
const MAX_WINDOW_MS = 10_000;
const READ_MS = 5000;
const MAX_READ = 20_000;
/** Per follower and poll; more is unreadable anyway. */
const MAX_SENT = 200;
const MAX_STREAMS_PER_CALLER = 3;
const MAX_STREAMS = 50;
const HEARTBEAT_MS = 15_000;
const STREAM_MS = 5 * 60_000;
const MAX_PENDING_BYTES = 256 * 1024;
const STALLED_TIMEOUT_MS = 30_000;

/** Sends new logs to the callers who follow a query. The logs are read once for all of them. */
export function createTailService({ runtime, logs, refreshCallers, clock, log }: TailServiceDeps) {
  const followers = new Set<Follower>();
  // The loop reads for all followers, so it must not inherit the database context of the request that started it.
  const outside = AsyncLocalStorage.snapshot();
  let polling: Promise<void> | undefined;
  /** New logs were read up to here; undefined without followers. */
  let readUpTo: number | undefined;
  let isClosed = false;

  /** Ends the streams of callers who have lost access or sites, and updates the roles of the others. */
  async function checkCallers(): Promise<void> {
    // Excludes followers that connect during the check: they have just been authenticated, and the result does not
    // contain them.
    const checked = [...followers];
    const current = await refreshCallers(checked.map(({ caller }) => caller));
    for (const follower of checked) {
      const caller = current.get(follower.caller);
      if (caller && isCallerAllowed(caller, NEEDS)) follower.caller = caller;
      else end(follower);
    }
  }

  function end(follower: Follower): void {
    followers.delete(follower);
    follower.sink.end();
  }

  /** Returns the logs since the last poll, up to a limit. `isCut` if there are more; those are never read. */
  async function readNew(): Promise<{ found: LogEvent[]; isCut: boolean }> {
    const to = clock.now().getTime() - SETTLED_MS;
    const last = readUpTo ?? to;
    const from = Math.max(last, to - MAX_WINDOW_MS);
    // A failed read is repeated with the next poll.
    readUpTo = last;
    if (from >= to) return { found: [], isCut: false };
    const found: LogEvent[] = [];
    const window = { from: new Date(from), to: new Date(to) };
    for await (const block of logs.read(window, clock.deadline(READ_MS))) {
      found.push(...block);
      if (found.length >= MAX_READ) break;
    }
    readUpTo = to;
    return { found: found.slice(0, MAX_READ), isCut: from > last || found.length >= MAX_READ };
  }

  function send(follower: Follower, found: readonly LogEvent[], isCut: boolean): void {
    const { caller, sink, isWanted } = follower;
    const scope = toScope(caller);
    const wanted = found.filter((each) => includesSite(scope, each.site) && isWanted(each));
    const isFull = sink.pendingBytes() > MAX_PENDING_BYTES;
    const sent = isFull ? [] : wanted.slice(-MAX_SENT);
    const frames = sent.map((each) => formatFrame("log", toLogBody(each)));
    const count = wanted.length - sent.length;
    // The number of logs that were never read is unknown.
    if (!isFull && (count > 0 || isCut)) frames.unshift(formatFrame("dropped", { count, is_estimate: isCut }));
    if (frames.length === 0) return;
    sink.write(frames.join(""));
    follower.wroteAt = clock.monotonicMs();
  }

  function maintain(follower: Follower): void {
    const { sink, openedAt, wroteAt } = follower;
    const now = clock.monotonicMs();
    if (sink.pendingBytes() <= MAX_PENDING_BYTES) follower.hadRoomAt = now;
    if (now - follower.hadRoomAt >= STALLED_TIMEOUT_MS) {
      followers.delete(follower);
      sink.cut();
    } else if (now - openedAt >= STREAM_MS) {
      end(follower);
    } else if (now - wroteAt >= HEARTBEAT_MS) {
      sink.write(": heartbeat\n\n");
      follower.wroteAt = now;
    }
  }

  async function deliver(): Promise<void> {
    if (!(await runtime.truth()).is_database_available) return;
    await checkCallers();
    const source = await runtime.choose<typeof readNew | undefined>({ database: readNew, showcase: undefined });
    if (!source) return;
    const { found, isCut } = await source();
    // The read may have taken seconds.
    if (found.length > 0) await checkCallers();
    for (const follower of followers) send(follower, found, isCut);
  }

  async function poll(): Promise<void> {
    while (followers.size > 0) {
      await deliver().catch((error: unknown) => log.warn({ err: error }, "reading new logs failed"));
      for (const follower of [...followers]) maintain(follower);
      await clock.sleep(POLL_MS);
    }
    readUpTo = undefined;
    polling = undefined;
  }

  return {
    /** Opens the sink if the caller may follow. Returns the function that stops it. */
    follow(caller: Caller, filter: LogFilter, open: () => Sink): () => void {
      if (isClosed) throw new Problem("unavailable", "the service is stopping");
      const isWanted = toPredicate(buildLogCondition(filter, clock.now()));
      const own = [...followers].filter((each) => each.caller.username === caller.username);
      if (own.length >= MAX_STREAMS_PER_CALLER) {
        throw rateLimited(`more than ${MAX_STREAMS_PER_CALLER} live tails of one caller`, POLL_MS);
      }
      if (followers.size >= MAX_STREAMS) throw rateLimited(`more than ${MAX_STREAMS} live tails`, POLL_MS);
      const now = clock.monotonicMs();
      const sink = open();
      sink.write(": following\n\n");
      const follower = { caller, isWanted, sink, openedAt: now, wroteAt: now, hadRoomAt: now };
      followers.add(follower);
      polling ??= outside(poll);
      return () => void followers.delete(follower);
    },

    async close(): Promise<void> {
      isClosed = true;
      for (const { sink } of followers) sink.end();
      followers.clear();
      await polling;
    },
  };
}

function formatFrame(event: "log" | "dropped", data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
