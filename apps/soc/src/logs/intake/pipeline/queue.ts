import { once } from "node:events";
import type { Clock } from "@kit/clock";
import { Problem, rateLimited } from "@kit/problem";
import type { Chunk } from "./chunk.ts";
import { isRejected, type Outcomes, type StoredOutcome } from "./outcome.ts";

export interface QueueDeps {
  writer: {
    storeGroup(chunks: readonly Chunk[]): Promise<Outcomes>;
    /** Stores a chunk with rows that the log store refuses. Without this method, such a chunk fails. */
    storeIsolated?(chunk: Chunk): Promise<StoredOutcome | Error>;
  };
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  limits?: Partial<QueueLimits>;
}

export interface QueueLimits {
  /** A group is stored when it reaches this many rows or characters, or when its first chunk has waited this long. */
  groupRows: number;
  groupCharacters: number;
  groupMs: number;
  /**
   * With this many waiting rows, groups wait for `busyMs` instead, because an insert costs the engine as much as a
   * thousand rows.
   */
  busyRows: number;
  busyMs: number;
  /**
   * How many groups are stored concurrently. Only a full group starts beside another one, so that the log store is
   * never idle under load.
   */
  groupConcurrency: number;
  /** Backpressure: beyond this, requests are refused, and the sender retries later. */
  queuedRows: number;
  queuedCharacters: number;
  /** A chunk that waits longer than this is refused with Retry-After. */
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
  done: (outcome: StoredOutcome | Error) => void;
}

/** The bounded queue of chunks that wait to be stored, processed in groups. */
export function createQueue({ writer, clock, ...options }: QueueDeps) {
  const limits = { ...LIMITS, ...options.limits };
  let tickets: Ticket[] = [];
  let waitingRows = 0;
  let waitingCharacters = 0;
  // Includes chunks that are being prepared for the queue or stored.
  let heldRows = 0;
  let heldCharacters = 0;
  let working: Promise<void> | undefined;
  const storing = new Set<Promise<void>>();
  let isolating: Promise<void> = Promise.resolve();
  let wake = new AbortController();
  let isClosed = false;

  const isGroup = () => waitingRows >= limits.groupRows || waitingCharacters >= limits.groupCharacters;

  function mustWait(): boolean {
    return storing.size > 0 && (storing.size >= limits.groupConcurrency || !isGroup());
  }

  /** Resolves when a group is stored or another one is full. */
  async function waitForChange(): Promise<void> {
    wake = new AbortController();
    const filled = once(wake.signal, "abort");
    await Promise.race([filled, ...storing]);
  }

  async function storeGroup(group: readonly Ticket[]): Promise<void> {
    const rejected = await storeTogether(group);
    // In a separate lane, one group at a time, so that chunks of other senders do not wait for them.
    if (rejected.length > 0) isolating = isolating.then(() => isolate(rejected));
  }

  /** Returns the chunks of an insert that the store refused because of a row. */
  async function storeTogether(group: readonly Ticket[]): Promise<Ticket[]> {
    const outcomes = await writer.storeGroup(group.map(({ chunk }) => chunk));
    return group.filter(({ chunk, done }) => {
      const outcome = outcomes.get(chunk) ?? new Error("a chunk has no outcome");
      if (isRejected(outcome)) return true;
      done(outcome);
      return false;
    });
  }

  /** Bisects the group until the chunk with the bad row is alone. */
  async function isolate(group: readonly Ticket[]): Promise<void> {
    const [first] = group;
    if (!first) return;
    if (group.length === 1) {
      const unsupported = new Problem("invalid", "event: cannot be stored");
      return first.done((await writer.storeIsolated?.(first.chunk)) ?? unsupported);
    }
    const middle = Math.ceil(group.length / 2);
    for (const half of [group.slice(0, middle), group.slice(middle)]) {
      const rejected = await storeTogether(half);
      if (rejected.length > 0) await isolate(rejected);
    }
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

  /** While the writer is blocked, a chunk at the end of the queue would wait for all chunks before it. */
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
        await waitForChange();
        continue;
      }
      const group = storeGroup(takeGroup()).finally(() => storing.delete(group));
      storing.add(group);
    }
    working = undefined;
  }

  return {
    /** Reserves capacity until the returned function is called. Throws if the queue is full. */
    reserve(rows: number, characters: number): () => void {
      if (isClosed)
        throw new Problem("unavailable", "the intake is closing", { code: "closing", retryAfterSeconds: 1 });
      const hasRoom = heldRows + rows <= limits.queuedRows && heldCharacters + characters <= limits.queuedCharacters;
      // A request larger than the whole capacity is accepted if the queue is empty.
      if (!hasRoom && heldRows > 0) throw rateLimited("the intake is full; see Retry-After", RETRY_MS);
      heldRows += rows;
      heldCharacters += characters;
      return () => {
        heldRows -= rows;
        heldCharacters -= characters;
      };
    },

    /** Resolves when the chunk is stored. */
    store(chunk: Chunk): Promise<StoredOutcome> {
      return new Promise((resolve, reject) => {
        const done = (outcome: StoredOutcome | Error) =>
          outcome instanceof Error ? reject(outcome) : resolve(outcome);
        tickets.push({ chunk, sinceMs: clock.monotonicMs(), done });
        waitingRows += chunk.entries.length;
        waitingCharacters += chunk.characters;
        working ??= work();
        if (isGroup()) wake.abort();
      });
    },

    /** Refuses new chunks and stores the waiting ones. */
    async close(): Promise<void> {
      isClosed = true;
      wake.abort();
      await working;
      await Promise.all(storing);
      await isolating;
    },
  };
}
