import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { AlertsService } from "../../casework/alerts/alerts.service.ts";
import { storable } from "./dead-letter.ts";
import type { Chunk } from "./pipeline/chunk.ts";
import type { Stored } from "./pipeline/outcome.ts";
import { buildSilenceReports, INTAKE } from "./pipeline/silence.ts";
import type { SourceCounts, SourceState, SourcesStore } from "./sources.store.ts";

export interface SourcesServiceDeps {
  store: SourcesStore;
  clock: Pick<Clock, "now">;
  log: Pick<Log, "warn">;
  /** Receives an alert when a source has fallen silent. */
  alerts: Pick<AlertsService, "create">;
}
export type SourcesService = ReturnType<typeof createSourcesService>;

/** An event that is older than this on arrival counts as late. */
const LATE_MS = 5 * 60_000;
const MAX_SOURCES = 10_000;
const OTHERS = "(others)";

/**
 * Counts what arrived from each source. The counts are kept in memory and written to the database together, once a
 * second.
 */
export function createSourcesService({ store, clock, log, alerts }: SourcesServiceDeps) {
  const listeningSince = clock.now();
  let counts = new Map<string, SourceCounts>();

  function findOrAddCounts(name: string, at = clock.now()): SourceCounts {
    const source = storable(name);
    const known = counts.get(source);
    if (known) return known;
    if (counts.size >= MAX_SOURCES && source !== OTHERS) return findOrAddCounts(OTHERS, at);
    const added = { source, received: 0, stored: 0, rejected: 0, late: 0, last_seen: at };
    counts.set(source, added);
    return added;
  }

  /** Counts the result of storing a chunk that arrived at `arrivedAt`. */
  function countStored({ entries }: Chunk, stored: Stored, arrivedAt: Date): void {
    const lateBefore = new Date(arrivedAt.getTime() - LATE_MS).toISOString();
    const places = new Map(entries.map((entry) => [entry.index, entry]));
    for (const { source, log: kept } of stored.entries) {
      const each = findOrAddCounts(source, arrivedAt);
      each.stored += 1;
      if (kept && kept.timestamp < lateBefore) each.late += 1;
    }
    for (const { index } of stored.refused)
      findOrAddCounts(places.get(index)?.source ?? OTHERS, arrivedAt).rejected += 1;
  }

  return {
    /** The source is alive whatever happens to its events: a source whose events cannot be stored now is not silent. */
    countReceived({ entries }: Chunk): void {
      const now = clock.now();
      for (const { source } of entries) findOrAddCounts(source).last_seen = now;
    },

    count(chunk: Chunk, stored: Stored): void {
      const now = clock.now();
      for (const { source } of chunk.entries) {
        const each = findOrAddCounts(source);
        each.received += 1;
        each.last_seen = now;
      }
      countStored(chunk, stored, now);
    },

    countStored,

    /** Writes the counts since the last flush to the database. */
    async flush(): Promise<void> {
      if (counts.size === 0) return;
      const taken = counts;
      counts = new Map();
      try {
        await store.add([...taken.values()], listeningSince);
      } catch (error) {
        for (const [source, before] of taken) {
          const each = findOrAddCounts(source);
          for (const name of ["received", "stored", "rejected", "late"] as const) each[name] += before[name];
        }
        throw error;
      }
    },

    /** Raises an alert for each source that has fallen silent. If several processes check, only the first raises it. */
    async listen(): Promise<void> {
      const silences = await store.markSilent(clock.now(), listeningSince, async (tx, found) => {
        for (const report of buildSilenceReports(found)) await alerts.create(tx, INTAKE, report);
      });
      for (const { source, silent_since } of silences) log.warn({ source, silent_since }, "source has fallen silent");
    },

    states: (): Promise<SourceState[]> => store.all(),
  };
}
