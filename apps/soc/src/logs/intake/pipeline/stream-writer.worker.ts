import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Tables } from "../../../foundation/database/tables.ts";
import type { Consumption, Delivery, EventStream, StreamEvent } from "../../../foundation/events/event-stream.ts";
import { buildDeadLetter } from "../dead-letter.ts";
import type { DeadLettersStore } from "../dead-letters.store.ts";
import type { SourcesService } from "../sources.service.ts";
import { CHUNK_LIMITS, type Chunk, type Entry, type Origin } from "./chunk.ts";
import { readChunk } from "./stream-chunk.ts";
import type { WriterService } from "./writer.service.ts";

export interface StreamWriterDeps {
  db: Kysely<Tables>;
  stream: Pick<EventStream, "consume">;
  writer: Pick<WriterService, "storeGroup" | "settlePending">;
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
// About a minute with the pauses between attempts: a chunk that keeps failing by its own fault becomes dead letters.
const MAX_FAILURES = 10;
const UNKNOWN_ORIGIN: Origin = { format: "json", sender: "stream" };

/**
 * Consumes chunks from the stream and stores them; only one process at a time is the consumer. While the log store or
 * the database is unreachable, chunks wait in the stream; a chunk that can never be stored becomes dead letters.
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
    const raw = JSON.stringify(event);
    const entry = { index: 0, raw, source: "unknown", log: undefined, reason: undefined, isNamed: false };
    await addDeadLetters([entry], UNKNOWN_ORIGIN, "stream: the event is not a chunk of logs");
  }

  /** Returns the error that blocks the group; undefined when the whole group is handled. */
  async function storeGroup(group: readonly Arrival[], isLastTry: boolean): Promise<Error | undefined> {
    const outcomes = await writer.storeGroup(group.map(({ chunk }) => chunk));
    let blocker: Error | undefined;
    for (const arrival of group) {
      const outcome = outcomes.get(arrival.chunk) ?? new Error("a chunk has no outcome");
      if (!(outcome instanceof Error)) sources.countStored(arrival.chunk, outcome, arrival.at);
      else if (isConflict(outcome)) await rejectChunk(arrival, outcome.message);
      else if (isLastTry && !isTransient(outcome)) {
        log.error({ err: outcome, events: arrival.chunk.entries.length }, "logs cannot be stored");
        await rejectChunk(arrival, "event: cannot be stored");
      } else blocker = outcome;
    }
    return blocker;
  }

  async function handle({ id, events }: Delivery): Promise<void> {
    if (failing.id !== id) failing = { id, failures: 0 };
    const arrivals = await readArrivals(events);
    // On the last attempt store each chunk separately, so that a bad chunk does not affect the others.
    const isLastTry = failing.failures >= MAX_FAILURES;
    for (const group of isLastTry ? arrivals.map((each) => [each]) : groupArrivals(arrivals)) {
      const blocker = await storeGroup(group, isLastTry);
      if (!blocker) continue;
      if (isTransient(blocker)) writer.settlePending();
      else failing.failures += 1;
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

/** Not the fault of the chunk: it waits until the log store or the database is available again. */
function isTransient(error: Error): boolean {
  return error instanceof Problem && (error.kind === "unavailable" || error.kind === "rate_limited");
}
