import type { SiteName } from "../../../foundation/caller/caller.ts";
import type { Format } from "../formats/event.ts";
import type { Chunk, Entry, Refusal } from "./chunk.ts";

/** An event that could not be stored, kept so that an operator can read and replay it. */
export interface DeadLetter {
  id: string;
  at: Date;
  format: Format;
  sender: string;
  site: string;
  /** The sites for which the sender may send; null for all. */
  sites: readonly SiteName[] | null;
  source: string;
  reason: string;
  raw: Buffer;
  is_cut: boolean;
}

const RAW_BYTES = 1024 * 1024;
const REASON_CHARACTERS = 500;

/** The entries of a chunk that cannot be stored, and their dead letters. */
export function collectRefusals(chunk: Chunk, at: Date): { refused: Refusal[]; letters: DeadLetter[] } {
  const refused: Refusal[] = [];
  const letters: DeadLetter[] = [];
  for (const entry of chunk.entries) {
    if (entry.reason === undefined) continue;
    const refusal = { index: entry.index, reason: entry.reason, dead_letter_id: entry.id };
    refused.push(refusal);
    letters.push(buildDeadLetter(chunk, entry, refusal, at));
  }
  return { refused, letters };
}

export function buildDeadLetter(chunk: Chunk, entry: Entry, refusal: Refusal, at: Date): DeadLetter {
  const { format, site = "", sites = null } = chunk.origin;
  const raw = Buffer.from(entry.raw.slice(0, RAW_BYTES), "utf8").subarray(0, RAW_BYTES);
  return {
    id: refusal.dead_letter_id,
    at,
    format,
    sender: entry.sender,
    site,
    sites,
    source: storable(entry.source),
    reason: storable(refusal.reason).slice(0, REASON_CHARACTERS),
    raw,
    is_cut: raw.length < Buffer.byteLength(entry.raw),
  };
}

/** PostgreSQL stores neither U+0000 nor a lone surrogate; the name is also limited in length. */
export function storable(name: string): string {
  return Buffer.from(name.replaceAll("\0", "\uFFFD").slice(0, 200), "utf8").toString("utf8");
}
