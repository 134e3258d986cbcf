import { once } from "node:events";
import type { Clock } from "@kit/clock";
import { Problem, rateLimited } from "@kit/problem";
import type { Chunk } from "./chunk.ts";
import type { Stored, WriterService } from "./writer.service.ts";

export interface QueueDeps {
  writer: Pick<WriterService, "storeGroup">;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  limits?: Partial<QueueLimits>;
}

export interface QueueLimits {
  /** A group is stored when it has so many rows or characters, or when its first parcel has waited so long. */
  groupRows: number;
  groupCharacters: number;
  groupMs: number;
  /** While so many rows or more are waiting, it is so long: an insert costs the engine as much as a thousand rows of it. */
  busyRows: number;
  busyMs: number;
  /** While one is being stored others may be, too, if they are whole: else the log store waits for us to make one ready. */
  groupConcurrency: number;
  /** More than this is not taken in: whoever sends waits and tries again. */
  queuedRows: number;
  queuedCharacters: number;
  /** Whoever has waited longer than this for a turn is told to come again. */
  waitMs: number;
}
export type Queue = ReturnType<typeof createQueue>;

const LIMITS: QueueLimits = {
  groupRows: 10_000,
  groupCharacters: 16 * 1024 * 1024,
  groupMs: 200,
  busyRows: 1000,
  busyMs: 500,
  groupConcurrency: 2,
  queuedRows: 100_000,
  queuedCharacters: 96 * 1024 * 1024,
  waitMs: Number.POSITIVE_INFINITY,
};
const RETRY_MS = 1000;
const LATE_SECONDS = 5;

interface Ticket {
  chunk: Chunk;
  sinceMs: number;
  done: (outcome: Stored | Error) => void;
}

/** What waits to be stored: bounded, and taken from it group by group. */
export function createQueue({ writer, clock, ...options }: QueueDeps) {
  const limits = { ...LIMITS, ...options.limits };
  let tickets: Ticket[] = [];
  let waitingRows = 0;
  let waitingCharacters = 0;
  // Also what is being made ready for the queue, or is being stored.
  let heldRows = 0;
  let heldCharacters = 0;
  let working: Promise<void> | undefined;
  const storing = new Set<Promise<void>>();
  let wake = new AbortController();
  let isClosed = false;

  const isGroup = () => waitingRows >= limits.groupRows || waitingCharacters >= limits.groupCharacters;

  function mustWait(): boolean {
    return storing.size > 0 && (storing.size >= limits.groupConcurrency || !isGroup());
  }

  /** Until a group is stored or another one is whole. */
  async function change(): Promise<void> {
    wake = new AbortController();
    const filled = once(wake.signal, "abort");
    await Promise.race([filled, ...storing]);
  }

  async function storeGroup(group: readonly Ticket[]): Promise<void> {
    const outcomes = await writer.storeGroup(group.map(({ chunk }) => chunk));
    for (const { chunk, done } of group) done(outcomes.get(chunk) ?? new Error("a parcel has no outcome"));
  }

  async function collectFor(ms: number): Promise<void> {
    const [first] = tickets;
    if (!first || isGroup() || isClosed) return;
    wake = new AbortController();
    const waitMs = ms - (clock.monotonicMs() - first.sinceMs);
    if (waitMs > 0) await clock.sleep(waitMs, wake.signal).catch(() => undefined);
  }

  async function collect(): Promise<void> {
    await collectFor(limits.groupMs);
    if (waitingRows >= limits.busyRows) await collectFor(limits.busyMs);
  }

  function takeGroup(): Ticket[] {
    let rows = 0;
    let characters = 0;
    let count = 0;
    for (const { chunk } of tickets) {
      if (rows >= limits.groupRows || characters >= limits.groupCharacters) break;
      rows += chunk.entries.length;
      characters += chunk.characters;
      count += 1;
    }
    waitingRows -= rows;
    waitingCharacters -= characters;
    const group = tickets.slice(0, count);
    tickets = tickets.slice(count);
    return group;
  }

  /** While what stores does not answer, those behind would wait for each one before them. */
  function rejectExpired(): void {
    const late = tickets.filter(({ sinceMs }) => clock.monotonicMs() - sinceMs > limits.waitMs);
    if (late.length === 0) return;
    tickets = tickets.filter((ticket) => !late.includes(ticket));
    for (const { chunk, done } of late) {
      waitingRows -= chunk.entries.length;
      waitingCharacters -= chunk.characters;
      done(new Problem("unavailable", "the intake is too slow; see Retry-After", { retryAfterSeconds: LATE_SECONDS }));
    }
  }

  async function work(): Promise<void> {
    while (tickets.length > 0) {
      await collect();
      rejectExpired();
      if (tickets.length === 0) break;
      if (mustWait()) {
        await change();
        continue;
      }
      const group = storeGroup(takeGroup()).finally(() => storing.delete(group));
      storing.add(group);
    }
    working = undefined;
  }

  return {
    /** Room for that much, until it is given back; refuses when there is none. */
    reserve(rows: number, characters: number): () => void {
      if (isClosed) throw new Problem("unavailable", "the intake is closing", { retryAfterSeconds: 1 });
      const hasRoom = heldRows + rows <= limits.queuedRows && heldCharacters + characters <= limits.queuedCharacters;
      // One that is larger than all the room there is gets it when nobody else needs any.
      if (!hasRoom && heldRows > 0) throw rateLimited("the intake is full; see Retry-After", RETRY_MS);
      heldRows += rows;
      heldCharacters += characters;
      return () => {
        heldRows -= rows;
        heldCharacters -= characters;
      };
    },

    /** Resolves when the parcel is stored. */
    store(chunk: Chunk): Promise<Stored> {
      return new Promise((resolve, reject) => {
        const done = (outcome: Stored | Error) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
        tickets.push({ chunk, sinceMs: clock.monotonicMs(), done });
        waitingRows += chunk.entries.length;
        waitingCharacters += chunk.characters;
        working ??= work();
        if (isGroup()) wake.abort();
      });
    },

    /** Takes nothing in any more and stores what is there. */
    async close(): Promise<void> {
      isClosed = true;
      wake.abort();
      await working;
      await Promise.all(storing);
    },
  };
}
