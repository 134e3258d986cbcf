import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { AlertsService } from "../../alerts/module.ts";
import type { Chunk, Entry } from "./pipeline/chunk.ts";
import { storable } from "./pipeline/dead-letter.ts";
import type { StoredOutcome } from "./pipeline/outcome.ts";
import { buildSilenceReports, INTAKE, OTHERS, SENDS_AGAIN } from "./pipeline/silence.ts";
import type { SourceCounts, SourceState, SourcesStore } from "./sources.store.ts";

export interface SourcesServiceDeps {
  store: SourcesStore;
  clock: Pick<Clock, "now">;
  log: Pick<Log, "warn">;
  /** Receives an alert when a source falls silent, and closes it when the source sends again. */
  alerts: Pick<AlertsService, "create" | "closeByItself">;
}
export type SourcesService = ReturnType<typeof createSourcesService>;

/** An event that is older than this on arrival counts as late. */
const LATE_MS = 5 * 60_000;
const MAX_SOURCES = 10_000;
const OVERFLOW: SourceKey = { source: OTHERS, sender: "" };
/** Beyond this many silence alerts in an hour, one alert counts them, because source names can be invented. */
const MAX_ALERTS = 20;
const ALERTS_MS = 60 * 60_000;

type SourceKey = Pick<Entry, "source" | "sender">;

/** Counts arrivals per source. The counts are kept in memory and written to the database together, once a second. */
export function createSourcesService({ store, clock, log, alerts }: SourcesServiceDeps) {
  const listeningSince = clock.now();
  let counts = new Map<string, SourceCounts>();
  let raisedAtMs: number[] = [];

  function findOrAddCounts({ source: name, sender }: SourceKey, at = clock.now()): SourceCounts {
    const source = storable(name);
    const known = counts.get(source);
    if (known) return known;
    if (counts.size >= MAX_SOURCES && source !== OTHERS) return findOrAddCounts(OVERFLOW, at);
    const added = { source, sender, received: 0, stored: 0, rejected: 0, late: 0, last_seen: at };
    counts.set(source, added);
    return added;
  }

  function countAlertsLeft(): number {
    const fromMs = clock.now().getTime() - ALERTS_MS;
    raisedAtMs = raisedAtMs.filter((ms) => ms > fromMs);
    return Math.max(MAX_ALERTS - raisedAtMs.length, 0);
  }

  /** Counts the result of storing a chunk that arrived at `arrivedAt`. */
  function countStored({ entries }: Chunk, stored: StoredOutcome, arrivedAt: Date): void {
    const lateBefore = new Date(arrivedAt.getTime() - LATE_MS).toISOString();
    const places = new Map(entries.map((entry) => [entry.index, entry]));
    for (const entry of stored.entries) {
      const each = findOrAddCounts(entry, arrivedAt);
      each.stored += 1;
      if (entry.log && entry.log.timestamp < lateBefore) each.late += 1;
    }
    for (const { index } of stored.refused) findOrAddCounts(places.get(index) ?? OVERFLOW, arrivedAt).rejected += 1;
  }

  return {
    /**
     * The source is alive whatever happens to its events: a source whose events cannot be stored now is not silent.
     * Returns the time of the arrival.
     */
    countReceived({ entries }: Chunk): Date {
      const now = clock.now();
      for (const entry of entries) findOrAddCounts(entry).last_seen = now;
      return now;
    },

    /** Storing is not a second arrival: the gap between both says nothing about the source. */
    count(chunk: Chunk, stored: StoredOutcome, arrivedAt: Date): void {
      for (const entry of chunk.entries) findOrAddCounts(entry, arrivedAt).received += 1;
      countStored(chunk, stored, arrivedAt);
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
        for (const before of taken.values()) {
          const each = findOrAddCounts(before);
          for (const name of ["received", "stored", "rejected", "late"] as const) each[name] += before[name];
        }
        throw error;
      }
    },

    /**
     * Raises an alert for each source that has fallen silent, and closes those of sources that send again. If several
     * processes check, only the first one does so.
     */
    async listen(): Promise<void> {
      await store.endSilences((tx, alert_id) => alerts.closeByItself(tx, INTAKE, alert_id, SENDS_AGAIN));
      const raised: { alert_id: string; sources: readonly string[] }[] = [];
      const silences = await store.markSilent(clock.now(), listeningSince, async (tx, found) => {
        for (const { report, sources } of buildSilenceReports(found, countAlertsLeft())) {
          const { alert } = await alerts.create(tx, INTAKE, report);
          raised.push({ alert_id: alert.id, sources });
        }
        return raised;
      });
      raisedAtMs.push(...raised.map(() => clock.now().getTime()));
      for (const { source, silent_since } of silences) log.warn({ source, silent_since }, "source has fallen silent");
    },

    states: (): Promise<SourceState[]> => store.all(),
    find: (sources: readonly string[]) => store.find(sources),
  };
}
