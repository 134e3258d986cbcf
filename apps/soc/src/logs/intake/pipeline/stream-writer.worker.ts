import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Tables } from "../../../foundation/database/tables.ts";
import {
  type Consumption,
  type Delivery,
  type EventStream,
  type StreamEvent,
  UNREADABLE,
} from "../../../foundation/events/event-stream.ts";
import { buildDeadLetter } from "../dead-letter.ts";
import type { DeadLettersStore } from "../dead-letters.store.ts";
import type { SourcesService } from "../sources.service.ts";
import { CHUNK_LIMITS, type Chunk, type Entry, type Origin } from "./chunk.ts";
import { isRejected } from "./outcome.ts";
import { readChunk } from "./stream-chunk.ts";
import type { WriterService } from "./writer.service.ts";

export interface StreamWriterDeps {
  db: Kysely<Tables>;
  stream: Pick<EventStream, "consume">;
  writer: Pick<WriterService, "storeGroup" | "storeIsolated" | "settlePending">;
  sources: Pick<SourcesService, "countStored">;
  deadLetters: Pick<DeadLettersStore, "insert">;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "warn" | "error">;
}

/** A chunk from the stream, and when it was published. */
interface Arrival {
  chunk: Chunk;
  at: Date;
}

const CONSUMER = "writer";
// Twenty messages: about ten thousand logs when senders send large batches.
const EVENTS_BATCH_SIZE = 2000;
// About a minute with the pauses between attempts: a chunk on which our own code keeps failing becomes dead letters.
const MAX_FAILURES = 10;
const UNKNOWN_ORIGIN: Origin = { format: "json", sender: "stream" };

/**
 * Consumes chunks from the stream and stores them; only one process at a time is the consumer. Whatever the log store
 * or the database says that is not about a row, the chunks wait in the stream: they were acknowledged. Only rows that
 * the store refuses become dead letters, and chunks under a batch name that is in use.
 */
export function createStreamWriter(deps: StreamWriterDeps) {
  const { db, stream, writer, sources, deadLetters, clock, ids, log } = deps;
  let failing = { id: "", failures: 0 };
  let consumption: Consumption | undefined;

  async function addDeadLetters(entries: readonly Entry[], origin: Origin, reason: string): Promise<void> {
    const chunk: Chunk = { entries, characters: 0, batch: undefined, origin };
    const letters = entries.map((entry) => {
      const refusal = { index: entry.index, reason, dead_letter_id: ids.next() };
      return buildDeadLetter(chunk, entry, refusal, clock.now());
    });
    await db.transaction().execute((tx) => deadLetters.insert(tx, letters));
  }

  async function rejectChunk({ chunk, at }: Arrival, reason: string): Promise<void> {
    await addDeadLetters(chunk.entries, chunk.origin, reason);
    const refused = chunk.entries.map(({ index }) => ({ index, reason, dead_letter_id: "" }));
    sources.countStored(chunk, { refused, entries: [] }, at);
  }

  async function readArrivals(events: readonly StreamEvent[]): Promise<Arrival[]> {
    const arrivals: Arrival[] = [];
    for (const event of events) {
      const chunk = readChunk(event);
      if (chunk) arrivals.push({ chunk, at: new Date(event.at) });
      else await rejectUnknown(event);
    }
    return arrivals;
  }

  async function rejectUnknown(event: StreamEvent): Promise<void> {
    log.error({ type: event.type, event_id: event.id }, "stream event is not a chunk of logs");
    const { type, data } = event;
    const raw = type === UNREADABLE && "text" in data ? String(data.text) : JSON.stringify(event);
    const about = { id: ids.next(), index: 0, raw, source: "unknown", sender: UNKNOWN_ORIGIN.sender };
    const entry = { ...about, log: undefined, reason: undefined, isNamed: false };
    await addDeadLetters([entry], UNKNOWN_ORIGIN, "stream: the event is not a chunk of logs");
  }

  /** Returns the error that blocks the group; undefined when the whole group is handled. */
  async function storeGroup(group: readonly Arrival[], isLastTry: boolean): Promise<Error | undefined> {
    const outcomes = await writer.storeGroup(group.map(({ chunk }) => chunk));
    let blocker: Error | undefined;
    for (const arrival of group) {
      const given = outcomes.get(arrival.chunk) ?? new Error("a chunk has no outcome");
      const outcome = isRejected(given) ? await writer.storeIsolated(arrival.chunk) : given;
      if (!(outcome instanceof Error)) sources.countStored(arrival.chunk, outcome, arrival.at);
      else if (!(await isGivenUp(arrival, outcome, isLastTry))) blocker = outcome;
    }
    return blocker;
  }

  /** Whether the chunk can never be stored and is now dead letters. */
  async function isGivenUp(arrival: Arrival, error: Error, isLastTry: boolean): Promise<boolean> {
    if (isConflict(error)) {
      await rejectChunk(arrival, error.message);
      return true;
    }
    if (!isLastTry || !isBug(error)) return false;
    log.error({ err: error, events: arrival.chunk.entries.length }, "storing logs failed by a bug");
    await rejectChunk(arrival, "event: cannot be stored");
    return true;
  }

  async function handle({ id, events }: Delivery): Promise<void> {
    if (failing.id !== id) failing = { id, failures: 0 };
    const arrivals = await readArrivals(events);
    // On the last attempt store each chunk separately, so that a bad chunk does not affect the others.
    const isLastTry = failing.failures >= MAX_FAILURES;
    for (const group of isLastTry ? arrivals.map((each) => [each]) : groupArrivals(arrivals)) {
      const blocker = await storeGroup(group, isLastTry);
      if (!blocker) continue;
      if (isBug(blocker)) failing.failures += 1;
      else writer.settlePending();
      throw blocker;
    }
  }

  return {
    start(): void {
      consumption ??= stream.consume({ name: CONSUMER, from: "first", most: EVENTS_BATCH_SIZE, handle });
    },

    async close(): Promise<void> {
      await consumption?.close();
    },
  };
}

function groupArrivals(arrivals: readonly Arrival[]): Arrival[][] {
  const groups: Arrival[][] = [];
  let [rows, characters] = [0, 0];
  for (const arrival of arrivals) {
    const { entries } = arrival.chunk;
    const isFull = rows + entries.length > CHUNK_LIMITS.rows;
    const isLarge = characters + arrival.chunk.characters > CHUNK_LIMITS.characters;
    if (groups.length === 0 || isFull || isLarge) {
      groups.push([]);
      [rows, characters] = [0, 0];
    }
    groups.at(-1)?.push(arrival);
    rows += entries.length;
    characters += arrival.chunk.characters;
  }
  return groups;
}

function isConflict(error: Error): boolean {
  return error instanceof Problem && error.kind === "conflict";
}

/** Our own code failed on the chunk. No server raises these errors. */
function isBug(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}
