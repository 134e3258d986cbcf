import type { LogEvent } from "../../../ports/log-event.ts";
import { findRowProblem } from "../../../ports/log-row.ts";
import { type Arrival, toLog } from "../../normalise/normalise.ts";
import { type Format, isParseError, type ParseResult } from "../formats/event.ts";
import { batchKeyOf, contentDigestOf, eventLogIdOf, placeLogIdOf } from "../formats/keys.ts";
import { chooseSite, type SitesOfOrigin } from "./log-site.ts";

/** One event in the pipeline: a log, or the reason why it cannot become one. */
export interface Entry {
  /** The id of its log or of its dead letter: identical however often the chunk is stored. */
  id: string;
  /** Its position in the request. */
  index: number;
  raw: string;
  source: string;
  sender: string;
  log: LogEvent | undefined;
  reason: string | undefined;
  /** Whether the id of the log is derived from the sender's own event id. */
  isNamed: boolean;
}

/**
 * A part of a request that is small enough for one insert. It is stored as a whole, except for events that cannot be
 * stored.
 */
export interface Chunk {
  entries: readonly Entry[];
  characters: number;
  /** Only for a named batch. */
  batch: { key: string; digest: string } | undefined;
  origin: Origin;
}

/** Why an entry is not stored, and the dead letter that keeps it. */
export interface Refusal {
  index: number;
  reason: string;
  dead_letter_id: string;
}

/** Metadata that all events of one request share. */
export interface Origin extends SitesOfOrigin {
  format: Format;
  /** The authenticated sender. */
  sender: string;
  /** For events that do not name their own. */
  source?: string;
  batchId?: string;
}

export interface ChunkLimits {
  rows: number;
  characters: number;
}

/** For a chunk that is stored in its own insert or together with others. */
export const CHUNK_LIMITS: ChunkLimits = { rows: 10_000, characters: 16 * 1024 * 1024 };

/**
 * Deterministic: the same events are always split at the same positions, because each part of a named batch has its own
 * key.
 */
export function findChunkRanges(found: readonly ParseResult[], limits = CHUNK_LIMITS): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  let from = 0;
  let characters = 0;
  for (const [index, { raw }] of found.entries()) {
    if (index > from && (index - from >= limits.rows || characters + raw.length > limits.characters)) {
      parts.push({ from, to: index });
      from = index;
      characters = 0;
    }
    characters += raw.length;
  }
  if (from < found.length) parts.push({ from, to: found.length });
  return parts;
}

export interface EntryDeps {
  nextId: () => string;
  /** ISO 8601 with milliseconds, in UTC. The writer replaces it by the final `ingested_at`. */
  arrivedAt: string;
  findLocalTime?: Arrival["findLocalTime"];
}

export function buildEntry(
  found: ParseResult,
  index: number,
  batchKey: string | undefined,
  origin: Origin,
  deps: EntryDeps,
): Entry {
  const placeId = () => (batchKey === undefined ? deps.nextId() : placeLogIdOf(batchKey, index));
  if (isParseError(found)) {
    const { raw, reason } = found;
    const { source = "unknown", sender } = origin;
    return { id: placeId(), index, raw, source, sender, log: undefined, reason, isNamed: false };
  }
  const givenSource = found.source ?? origin.source;
  const { fields, raw, id, isIdUnique } = found;
  const { site, reason } = chooseSite(origin, fields.site);
  const arrival = { ingested_at: deps.arrivedAt, site, raw };
  const { findLocalTime } = deps;
  const named = { id: "", ...arrival, findLocalTime, ...(givenSource !== undefined && { source: givenSource }) };
  const log = toLog(fields, named);
  log.id = id === undefined ? placeId() : eventLogIdOf(nameSender(origin), { id, isIdUnique, raw });
  const entry = { id: log.id, index, raw, source: log.source, sender: found.sender ?? origin.sender };
  const checked = reason === undefined ? checkRow(log) : { log: undefined, reason };
  return { ...entry, ...checked, isNamed: id !== undefined };
}

/** Refuses a log that the store would refuse, before it is grouped with logs of other senders. */
export function checkRow(log: LogEvent): Pick<Entry, "log" | "reason"> {
  const reason = findRowProblem(log);
  return reason === undefined ? { log, reason } : { log: undefined, reason };
}

/** Two keys with one name but different sites count as two senders: neither learns what the other one sent. */
export function nameSender({ sender, sites }: Origin): string {
  return sites === undefined ? sender : JSON.stringify([sender, ...sites.map(({ id }) => id).toSorted()]);
}

export function buildBatch(origin: Origin, part: number, found: readonly ParseResult[]): Chunk["batch"] {
  const { source = "", batchId } = origin;
  if (batchId === undefined) return undefined;
  const key = batchKeyOf(nameSender(origin), source, batchId, part);
  return { key, digest: contentDigestOf(found.map(({ raw }) => raw)) };
}
