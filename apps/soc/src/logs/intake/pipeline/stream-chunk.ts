import type { StreamEvent } from "../../../foundation/events/event-stream.ts";
import type { LogEvent } from "../../search/log.ts";
import { type Chunk, type ChunkLimits, checkRow, type Entry, nameSender, type Origin } from "./chunk.ts";
import { FORMATS, isFields } from "./event.ts";

/** The maximum content of one stream event; a stream message contains several events. */
export const STREAM_LIMITS: ChunkLimits = { rows: 500, characters: 128 * 1024 };

/** A chunk for the stream, and the origin of each of its entries. */
export interface Bundle {
  /** The chunk always has a batch key, so that a chunk that the stream delivers twice is stored once. */
  chunk: Chunk & { batch: NonNullable<Chunk["batch"]> };
  members: readonly { chunk: Chunk; entry: Entry }[];
}

const TYPE = "logs";

/**
 * Keeps named batches as they are and joins unnamed chunks of the same sender. Entries that could not be parsed are
 * left out.
 */
export function groupIntoBundles(chunks: readonly Chunk[], nextKey: () => string): Bundle[] {
  const bundles: Bundle[] = [];
  const open = new Map<string, Chunk[]>();
  const end = (collected: readonly Chunk[]) => {
    const bundle = buildBundle(collected, nextKey);
    if (bundle.members.length > 0) bundles.push(bundle);
  };
  for (const chunk of chunks) {
    if (chunk.batch) {
      end([chunk]);
      continue;
    }
    const { format, site } = chunk.origin;
    const origin = JSON.stringify([format, nameSender(chunk.origin), site ?? null]);
    const collected = open.get(origin) ?? [];
    if (fits([...collected, chunk])) open.set(origin, [...collected, chunk]);
    else {
      end(collected);
      open.set(origin, [chunk]);
    }
  }
  for (const collected of open.values()) end(collected);
  return bundles;
}

function fits(chunks: readonly Chunk[]): boolean {
  const rows = chunks.reduce((sum, { entries }) => sum + entries.length, 0);
  const characters = chunks.reduce((sum, each) => sum + each.characters, 0);
  return rows <= STREAM_LIMITS.rows && characters <= STREAM_LIMITS.characters;
}

function buildBundle(chunks: readonly Chunk[], nextKey: () => string): Bundle {
  const members = chunks.flatMap((chunk) => chunk.entries.flatMap((entry) => (entry.log ? [{ chunk, entry }] : [])));
  const [first] = chunks;
  const batch = first?.batch ?? { key: nextKey(), digest: "" };
  // Entries of a named batch keep their positions, because their ids are derived from them.
  const entries = members.map(({ entry }, place) => (first?.batch ? entry : { ...entry, index: place }));
  const characters = members.reduce((sum, { entry }) => sum + entry.raw.length, 0);
  return { chunk: { entries, characters, batch, origin: first?.origin ?? NO_ORIGIN }, members };
}

const NO_ORIGIN: Origin = { format: "json", sender: "" };

export function toStreamEvent({ chunk }: Bundle, at: Date): StreamEvent {
  const { batch, characters, origin, entries } = chunk;
  const carried = entries.map(({ index, source, sender, isNamed, raw, log }) => ({
    index,
    source,
    isNamed,
    log,
    // Omitted when the origin or the log already contains it.
    ...(sender !== origin.sender && { sender }),
    ...(raw !== log?.raw && { raw }),
  }));
  const id = batch.digest === "" ? batch.key : `${batch.key} ${batch.digest}`;
  const data = { batch, characters, origin, entries: carried };
  return { id, at: at.toISOString(), type: TYPE, subject_id: batch.key, data };
}

/** Reads the chunk of a stream event; undefined when the event is not a chunk. */
export function readChunk({ type, data }: StreamEvent): Chunk | undefined {
  if (type !== TYPE) return undefined;
  const { batch, characters, origin, entries }: Partial<Record<keyof Chunk, unknown>> = { ...data };
  const isWhole = isBatch(batch) && isOrigin(origin) && typeof characters === "number" && Array.isArray(entries);
  if (!isWhole) return undefined;
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
