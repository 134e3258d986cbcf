import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, Problem } from "@kit/problem";
import { type ParseResult, requireFewEvents } from "./formats/event.ts";
import {
  buildBatch,
  buildEntry,
  type Chunk,
  type ChunkLimits,
  type Entry,
  findChunkRanges,
  type Origin,
  type Refusal,
} from "./pipeline/chunk.ts";
import type { StoredOutcome } from "./pipeline/outcome.ts";
import type { Queue } from "./pipeline/queue.ts";
import type { WriterService } from "./pipeline/writer.service.ts";
import type { FindLocalTime, SourceSettingsService } from "./source-settings/source-settings.service.ts";
import type { SourcesService } from "./sources.service.ts";

export interface IntakeServiceDeps {
  queue: Pick<Queue, "reserve" | "store" | "close">;
  writer: Pick<WriterService, "settlePending">;
  sources: Pick<SourcesService, "count" | "countReceived">;
  settings: Pick<SourceSettingsService, "localTimes">;
  /** The maximum size of the chunks that it builds. */
  limits?: ChunkLimits;
  clock: Pick<Clock, "now" | "sleep">;
  ids: Pick<Ids, "next">;
}
export type IntakeService = ReturnType<typeof createIntakeService>;

export interface IngestResult {
  accepted: number;
  rejected: number;
  dead_letter_ids: string[];
}

/** Also names the refused events by their positions. */
export interface IntakeResult extends IngestResult {
  refused: readonly Refusal[];
}

/** The position of a chunk in its request. */
interface Place {
  from: number;
  part: number;
}

const MAX_NAME_LENGTH = 200;
// Yields to the event loop after this many events or characters, so that other requests are served.
const BATCH_SIZE = 500;
const BATCH_CHARACTERS = 131_072;
const BUSY_TRIES = 50;
const BUSY_MS = 100;

/**
 * Receives events and stores logs. Accepted events are durable, and an event that cannot be stored becomes a dead
 * letter.
 */
export function createIntakeService(deps: IntakeServiceDeps) {
  const { queue, writer, sources, settings, limits, clock, ids } = deps;
  // One insert contains the events of many requests, so it must not inherit the database context of the first one.
  const outside = AsyncLocalStorage.snapshot();

  async function buildChunk(
    found: readonly ParseResult[],
    { from, part }: Place,
    origin: Origin,
    findLocalTime: FindLocalTime,
  ): Promise<Chunk> {
    const batch = buildBatch(origin, part, found);
    const entries: Entry[] = [];
    const made = { nextId: () => ids.next(), arrivedAt: clock.now().toISOString(), findLocalTime };
    const yieldWhenDue = createYield(clock);
    for (const [place, each] of found.entries()) {
      const due = yieldWhenDue(each.raw.length);
      if (due) await due;
      entries.push(buildEntry(each, from + place, batch?.key, origin, made));
    }
    return { entries, characters: found.reduce((sum, { raw }) => sum + raw.length, 0), batch, origin };
  }

  /** Retries while another process is storing the same batch. */
  async function storeWhenFree(chunk: Chunk): Promise<StoredOutcome> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await queue.store(chunk);
      } catch (error) {
        const isBusy = error instanceof Problem && error.code === "batch_in_progress";
        if (!isBusy || tries >= BUSY_TRIES) throw error;
        writer.settlePending();
        await clock.sleep(BUSY_MS);
      }
    }
  }

  async function storePart(...given: Parameters<typeof buildChunk>): Promise<StoredOutcome> {
    const chunk = await buildChunk(...given);
    const arrivedAt = sources.countReceived(chunk);
    const stored = await storeWhenFree(chunk);
    sources.count(chunk, stored, arrivedAt);
    return stored;
  }

  async function store(found: readonly ParseResult[], origin: Origin): Promise<IntakeResult> {
    requireNames(origin);
    requireFewEvents(found.length);
    const characters = found.reduce((sum, { raw }) => sum + raw.length, 0);
    const release = queue.reserve(found.length, characters);
    try {
      const parts = findChunkRanges(found, limits);
      const findLocalTime = await settings.localTimes();
      const storing = parts.map(({ from, to }, part) =>
        storePart(found.slice(from, to), { from, part }, origin, findLocalTime),
      );
      const ended = await Promise.allSettled(storing);
      const stored = ended.map((each) => {
        if (each.status === "rejected") throw each.reason;
        return each.value;
      });
      return sumTaken(found.length, stored);
    } finally {
      release();
    }
  }

  const counts = { accepted: 0, dead_letter: 0, refused: 0 };

  async function accept(found: readonly ParseResult[], origin: Origin): Promise<IntakeResult> {
    try {
      const taken = await outside(store, found, origin);
      counts.accepted += taken.accepted;
      counts.dead_letter += taken.rejected;
      return taken;
    } catch (error) {
      counts.refused += found.length;
      throw error;
    }
  }

  return {
    accept,

    /** Events by their outcome, since the start. A request that is refused as a whole may be repeated. */
    counts: (): Readonly<Record<keyof typeof counts, number>> => ({ ...counts }),

    /** Parses items in slices, so that other requests are served in between. */
    async collect<Item>(items: Iterable<Item>, sizeOf: (item: Item) => number): Promise<Item[]> {
      const collected: Item[] = [];
      const yieldWhenDue = createYield(clock);
      for (const item of items) {
        collected.push(item);
        const due = yieldWhenDue(sizeOf(item));
        if (due) await due;
      }
      return collected;
    },

    /** Parses the events in slices, so that other requests are served in between. */
    async acceptTexts(
      texts: readonly string[],
      parse: (text: string) => ParseResult,
      origin: Origin,
    ): Promise<IntakeResult> {
      const found: ParseResult[] = [];
      const yieldWhenDue = createYield(clock);
      for (const text of texts) {
        const due = yieldWhenDue(text.length);
        if (due) await due;
        found.push(parse(text));
      }
      return accept(found, origin);
    },

    close: () => queue.close(),
  };
}

function sumTaken(count: number, stored: readonly StoredOutcome[]): IntakeResult {
  const refused = stored.flatMap((each) => each.refused);
  return {
    accepted: count - refused.length,
    rejected: refused.length,
    dead_letter_ids: refused.map(({ dead_letter_id }) => dead_letter_id),
    refused,
  };
}

/** Yields before an event if the ones since the last yield were many or large. */
function createYield(clock: Pick<Clock, "sleep">): (characters: number) => Promise<void> | undefined {
  let events = 0;
  let size = 0;
  return (characters) => {
    if (events < BATCH_SIZE - 1 && size < BATCH_CHARACTERS) {
      events += 1;
      size += characters;
      return undefined;
    }
    events = 0;
    size = characters;
    return clock.sleep(0);
  };
}

function requireNames(origin: Origin): void {
  const named = { source: origin.source, site: origin.site, "X-Batch-Id": origin.batchId };
  for (const [name, value] of Object.entries(named)) {
    if (value !== undefined && (value === "" || value.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(value))) {
      throw invalidField(name, `must be a text of 1 to ${MAX_NAME_LENGTH} characters`);
    }
  }
}
