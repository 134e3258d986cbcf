import type { LogEvent } from "../../../ports/log-event.ts";
import type { Chunk, Entry } from "./chunk.ts";

/** The content of one insert. */
export interface Group {
  /** The chunks that do not repeat another chunk of the group. */
  leaders: readonly Chunk[];
  /** The chunks that repeat a batch of the group, each with its leader. */
  followers: ReadonlyMap<Chunk, Chunk>;
  /** The ids of logs with sender-defined ids, without duplicates. */
  names: readonly string[];
}

export function groupChunks(chunks: readonly Chunk[]): Group {
  const byKey = new Map<string, Chunk>();
  const followers = new Map<Chunk, Chunk>();
  const leaders: Chunk[] = [];
  for (const chunk of chunks) {
    const leader = chunk.batch && byKey.get(chunk.batch.key);
    if (leader) followers.set(chunk, leader);
    else leaders.push(chunk);
    if (chunk.batch && !leader) byKey.set(chunk.batch.key, chunk);
  }
  return { leaders, followers, names: [...new Set(leaders.flatMap(listEventNames))] };
}

export function listEventNames({ entries }: Chunk): string[] {
  return entries.flatMap(({ log, isNamed }) => (log && isNamed ? [log.id] : []));
}

export interface NewEntry {
  chunk: Chunk;
  entry: Entry;
  log: LogEvent;
}

/** Selects the logs to store: all except named events that are already stored, and each named event once. */
export function selectFresh(chunks: readonly Chunk[], storedNames: ReadonlySet<string>): NewEntry[] {
  const seen = new Set(storedNames);
  const fresh: NewEntry[] = [];
  for (const chunk of chunks) {
    for (const entry of chunk.entries) {
      const { log, isNamed } = entry;
      if (!log || (isNamed && seen.has(log.id))) continue;
      if (isNamed) seen.add(log.id);
      fresh.push({ chunk, entry, log });
    }
  }
  return fresh;
}
