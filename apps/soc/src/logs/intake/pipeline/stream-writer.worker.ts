import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log as Speaker } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Tables } from "../../../foundation/database/tables.ts";
import type { Consumption, Delivery, EventStream, StreamEvent } from "../../../foundation/events/event-stream.ts";
import { deadLetterOf } from "../dead-letter.ts";
import type { DeadLettersStore } from "../dead-letters.store.ts";
import type { SourcesService } from "../sources.service.ts";
import { type Entry, type Origin, PARCEL_LIMITS, type Parcel } from "./parcel.ts";
import { parcelIn } from "./stream-parcel.ts";
import type { WriterService } from "./writer.service.ts";

export interface StreamWriterDeps {
  db: Kysely<Tables>;
  stream: Pick<EventStream, "consume">;
  writer: Pick<WriterService, "storeGroup" | "lookForPending">;
  sources: Pick<SourcesService, "countStored">;
  deadLetters: Pick<DeadLettersStore, "insert">;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
  log: Pick<Speaker, "warn" | "error">;
}

/** A parcel from the stream, and when it was given to that. */
interface Arrival {
  parcel: Parcel;
  at: Date;
}

const CONSUMER = "writer";
// Twenty messages: about ten thousand logs when senders send many at once.
const MOST_EVENTS = 2000;
// With the waits between them about a minute: what fails for so long for its own fault is put aside.
const MOST_FAILURES = 10;
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
    const parcel: Parcel = { entries, characters: 0, batch: undefined, origin };
    const letters = entries.map((entry) => {
      const refusal = { index: entry.index, reason, dead_letter_id: ids.next() };
      return deadLetterOf(parcel, entry, refusal, clock.now());
    });
    await db.transaction().execute((tx) => deadLetters.insert(tx, letters));
  }

  async function buryParcel({ parcel, at }: Arrival, reason: string): Promise<void> {
    await bury(parcel.entries, parcel.origin, reason);
    const refused = parcel.entries.map(({ index }) => ({ index, reason, dead_letter_id: "" }));
    sources.countStored(parcel, { refused, entries: [] }, at);
  }

  async function arrivalsOf(events: readonly StreamEvent[]): Promise<Arrival[]> {
    const arrivals: Arrival[] = [];
    for (const event of events) {
      const parcel = parcelIn(event);
      if (parcel) arrivals.push({ parcel, at: new Date(event.at) });
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
    const outcomes = await writer.storeGroup(group.map(({ parcel }) => parcel));
    let hindrance: Error | undefined;
    for (const arrival of group) {
      const outcome = outcomes.get(arrival.parcel) ?? new Error("a parcel has no outcome");
      if (!(outcome instanceof Error)) sources.countStored(arrival.parcel, outcome, arrival.at);
      else if (isConflict(outcome)) await buryParcel(arrival, outcome.message);
      else if (isLastTry && !isPassing(outcome)) {
        log.error({ err: outcome, events: arrival.parcel.entries.length }, "logs cannot be stored");
        await buryParcel(arrival, "event: cannot be stored");
      } else hindrance = outcome;
    }
    return hindrance;
  }

  async function handle({ id, events }: Delivery): Promise<void> {
    if (failing.id !== id) failing = { id, failures: 0 };
    const arrivals = await arrivalsOf(events);
    // One by one in the end, so that one that cannot be stored takes no others with it.
    const isLastTry = failing.failures >= MOST_FAILURES;
    for (const group of isLastTry ? arrivals.map((each) => [each]) : groupsOf(arrivals)) {
      const hindrance = await storeGroup(group, isLastTry);
      if (!hindrance) continue;
      if (isPassing(hindrance)) writer.lookForPending();
      else failing.failures += 1;
      throw hindrance;
    }
  }

  return {
    start(): void {
      consumption ??= stream.consume({ name: CONSUMER, from: "first", most: MOST_EVENTS, handle });
    },

    async close(): Promise<void> {
      await consumption?.close();
    },
  };
}

function groupsOf(arrivals: readonly Arrival[]): Arrival[][] {
  const groups: Arrival[][] = [];
  let [rows, characters] = [0, 0];
  for (const arrival of arrivals) {
    const { entries } = arrival.parcel;
    const isFull = rows + entries.length > PARCEL_LIMITS.rows;
    const isLarge = characters + arrival.parcel.characters > PARCEL_LIMITS.characters;
    if (groups.length === 0 || isFull || isLarge) {
      groups.push([]);
      [rows, characters] = [0, 0];
    }
    groups.at(-1)?.push(arrival);
    rows += entries.length;
    characters += arrival.parcel.characters;
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
