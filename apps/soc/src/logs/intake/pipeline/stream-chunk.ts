import type { StreamEvent } from "../../../foundation/events/event-stream.ts";
import type { LogEvent } from "../../../ports/log-event.ts";
import { FORMATS, isFields } from "../formats/event.ts";
import { type Chunk, type ChunkLimits, checkRow, type Entry, nameSender, type Origin } from "./chunk.ts";
import { createPartitionFinder, type PartitionKey } from "./partition-for.ts";

/** The maximum content of one stream event; a stream message contains several events. */
export const STREAM_LIMITS: ChunkLimits = { rows: 500, characters: 128 * 1024 };

/** A chunk for the stream of one partition, and the origin of each of its entries. */
export interface Bundle {
  partition: number;
  /** Unique, and the same when a named batch is published again. */
  id: string;
  chunk: Chunk;
  members: readonly Member[];
}

export interface Member {
  chunk: Chunk;
  entry: Entry;
}

const TYPE = "logs";

/**
 * Keeps named batches unchanged, and groups other entries by their partition. Omits entries that could not be parsed.
 */
export function groupIntoBundles(chunks: readonly Chunk[], partitions: number, nextId: () => string): Bundle[] {
  const bundles: Bundle[] = [];
  const open = new Map<string, OpenBundle>();
  const findPartition = createPartitionFinder(partitions);
  const end = ({ partition, members }: OpenBundle) => {
    const [first] = members;
    if (first) bundles.push(buildBundle(first.chunk, partition, members, nextId));
  };
  for (const chunk of chunks) {
    if (chunk.batch) {
      end({ partition: findPartition(nameOrigin(chunk)), members: listMembers(chunk), characters: 0 });
      continue;
    }
    const origin = JSON.stringify([chunk.origin.format, nameSender(chunk.origin), chunk.origin.site ?? null]);
    for (const member of listMembers(chunk)) {
      const partition = findPartition(nameEntry(member));
      const place = `${partition} ${origin}`;
      const known = open.get(place);
      const characters = member.entry.raw.length;
      if (
        known &&
        known.members.length < STREAM_LIMITS.rows &&
        known.characters + characters <= STREAM_LIMITS.characters
      ) {
        known.members.push(member);
        known.characters += characters;
        continue;
      }
      if (known) end(known);
      open.set(place, { partition, members: [member], characters });
    }
  }
  for (const bundle of open.values()) end(bundle);
  return bundles;
}

interface OpenBundle {
  partition: number;
  members: Member[];
  characters: number;
}

function listMembers(chunk: Chunk): Member[] {
  return chunk.entries.flatMap((entry) => (entry.log ? [{ chunk, entry }] : []));
}

/** A repeat under the same name has the same origin, whatever its entries say about themselves. */
export function nameOrigin({ origin }: Pick<Chunk, "origin">): PartitionKey {
  return { site: origin.site ?? "", source: origin.source ?? "", sender: nameSender(origin) };
}

function nameEntry({ chunk, entry }: Member): PartitionKey {
  if (entry.isNamed) return nameOrigin(chunk);
  return { site: entry.log?.site ?? "", source: entry.source, sender: entry.sender };
}

function buildBundle(first: Chunk, partition: number, members: readonly Member[], nextId: () => string): Bundle {
  const { batch, origin } = first;
  // Entries of a named batch keep their positions, because their ids are derived from them.
  const entries = members.map(({ entry }, place) => (batch ? entry : { ...entry, index: place }));
  const characters = members.reduce((sum, { entry }) => sum + entry.raw.length, 0);
  const id = batch ? `${batch.key} ${batch.digest}` : nextId();
  return { partition, id, chunk: { entries, characters, batch, origin }, members };
}

export function toStreamEvent({ id, chunk }: Bundle, at: Date): StreamEvent {
  const { batch, characters, origin, entries } = chunk;
  const carried = entries.map(({ index, source, sender, isNamed, raw, log }) => ({
    index,
    source,
    isNamed,
    log,
    // Omitted if the origin or the log already contains it.
    ...(sender !== origin.sender && { sender }),
    ...(raw !== log?.raw && { raw }),
  }));
  const data = { ...(batch && { batch }), characters, origin, entries: carried };
  return { id, at: at.toISOString(), type: TYPE, subject_id: batch?.key ?? id, data };
}

/** Reads the chunk of a stream event; undefined when the event is not a chunk. */
export function readChunk({ type, data }: StreamEvent): Chunk | undefined {
  if (type !== TYPE) return undefined;
  const { batch, characters, origin, entries }: Partial<Record<keyof Chunk, unknown>> = { ...data };
  const isNamed = batch === undefined || isBatch(batch);
  if (!isNamed || !isOrigin(origin) || typeof characters !== "number" || !Array.isArray(entries)) return undefined;
  const carried = entries.flatMap((entry) => entryIn(entry, origin) ?? []);
  return carried.length === entries.length ? { batch, characters, origin, entries: carried } : undefined;
}

function entryIn(value: unknown, origin: Origin): Entry | undefined {
  if (!isFields(value)) return undefined;
  const { index, source, isNamed, log } = value;
  if (typeof index !== "number" || typeof source !== "string" || typeof isNamed !== "boolean") return undefined;
  if (!isLog(log)) return undefined;
  const raw = typeof value.raw === "string" ? value.raw : log.raw;
  const sender = typeof value.sender === "string" ? value.sender : origin.sender;
  return { id: log.id, index, raw, source, sender, ...checkRow(log), isNamed };
}

function isBatch(value: unknown): value is NonNullable<Chunk["batch"]> {
  return isFields(value) && typeof value.key === "string" && typeof value.digest === "string";
}

function isOrigin(value: unknown): value is Origin {
  if (!isFields(value)) return false;
  return FORMATS.some((format) => format === value.format) && typeof value.sender === "string";
}

/** `checkRow` validates the columns. */
function isLog(value: unknown): value is LogEvent {
  return isFields(value) && [value.id, value.timestamp, value.raw].every((text) => typeof text === "string");
}
