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

/** A parcel from the stream, and when it was given to that. */
interface Arrival {
  chunk: Chunk;
  at: Date;
}

const CONSUMER = "writer";
// Twenty messages: about ten thousand logs when senders send many at once.
const EVENTS_BATCH_SIZE = 2000;
// With the waits between them about a minute: what fails for so long for its own fault is put aside.
const MAX_FAILURES = 10;
const STRANGER: Origin = { format: "json", sender: "stream" };

/**
 * Takes parcels from the stream and stores them. Of all processes one does at a time. What the log store's or the database's
 * absence holds up waits in the stream; what cannot be stored by its own fault becomes dead letters.
 */
export function createStreamWriter(deps: StreamWriterDeps) {
  const { db, stream, writer, sources, deadLetters, clock, ids, log } = deps;
  let failing = { id: "", failures: 0 };
  let consumption: Consumption | undefined;

  async function bury(entries: readonly Entry[], origin: Origin, reason: string): Promise<void> {
    const chunk: Chunk = { entries, characters: 0, batch: undefined, origin };
    const letters = entries.map((entry) => {
      const refusal = { index: entry.index, reason, dead_letter_id: ids.next() };
      return buildDeadLetter(chunk, entry, refusal, clock.now());
    });
    await db.transaction().execute((tx) => deadLetters.insert(tx, letters));
  }

  async function buryChunk({ chunk, at }: Arrival, reason: string): Promise<void> {
    await bury(chunk.entries, chunk.origin, reason);
    const refused = chunk.entries.map(({ index }) => ({ index, reason, dead_letter_id: "" }));
    sources.countStored(chunk, { refused, entries: [] }, at);
  }

  async function readArrivals(events: readonly StreamEvent[]): Promise<Arrival[]> {
    const arrivals: Arrival[] = [];
    for (const event of events) {
      const chunk = readChunk(event);
      if (chunk) arrivals.push({ chunk, at: new Date(event.at) });
      else await buryStranger(event);
    }
    return arrivals;
  }

  async function buryStranger(event: StreamEvent): Promise<void> {
    log.error({ type: event.type, event_id: event.id }, "stream holds something that is no parcel of logs");
    const raw = JSON.stringify(event);
    const entry = { index: 0, raw, source: "unknown", log: undefined, reason: undefined, isNamed: false };
    await bury([entry], STRANGER, "stream: holds something that is no parcel of logs");
  }

  /** Answers what hinders; undefined when all of it is done with. */
  async function storeGroup(group: readonly Arrival[], isLastTry: boolean): Promise<Error | undefined> {
    const outcomes = await writer.storeGroup(group.map(({ chunk }) => chunk));
    let hindrance: Error | undefined;
    for (const arrival of group) {
      const outcome = outcomes.get(arrival.chunk) ?? new Error("a parcel has no outcome");
      if (!(outcome instanceof Error)) sources.countStored(arrival.chunk, outcome, arrival.at);
      else if (isConflict(outcome)) await buryChunk(arrival, outcome.message);
      else if (isLastTry && !isPassing(outcome)) {
        log.error({ err: outcome, events: arrival.chunk.entries.length }, "logs cannot be stored");
        await buryChunk(arrival, "event: cannot be stored");
      } else hindrance = outcome;
    }
    return hindrance;
  }

  async function handle({ id, events }: Delivery): Promise<void> {
    if (failing.id !== id) failing = { id, failures: 0 };
    const arrivals = await readArrivals(events);
    // One by one in the end, so that one that cannot be stored takes no others with it.
    const isLastTry = failing.failures >= MAX_FAILURES;
    for (const group of isLastTry ? arrivals.map((each) => [each]) : groupArrivals(arrivals)) {
      const hindrance = await storeGroup(group, isLastTry);
      if (!hindrance) continue;
      if (isPassing(hindrance)) writer.settlePending();
      else failing.failures += 1;
      throw hindrance;
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

/** Not the parcel's fault: it waits until the log store or the database is there again. */
function isPassing(error: Error): boolean {
  return error instanceof Problem && (error.kind === "unavailable" || error.kind === "rate_limited");
}
