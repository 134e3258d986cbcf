import type { Clock } from "@kit/clock";
import type { Log as Speaker } from "@kit/log";
import { storable } from "./dead-letter.ts";
import type { Parcel } from "./parcel.ts";
import type { SourceCounts, SourceState, SourcesStore } from "./sources.store.ts";
import type { Stored } from "./writer.service.ts";

export interface SourcesServiceDeps {
  store: SourcesStore;
  clock: Pick<Clock, "now">;
  log: Pick<Speaker, "warn">;
  /** Told once for each time that a source falls silent. */
  onSilence?: (source: string, silentSince: Date) => Promise<void>;
}
export type SourcesService = ReturnType<typeof createSourcesService>;

/** An event that is so much older than its arrival is late. */
const LATE_MS = 5 * 60_000;
const SOURCES_AT_ONCE = 10_000;
const OTHERS = "(others)";

/** What came from each source. Counted in memory and written down together, a few times a minute at most a second late. */
export function createSourcesService({ store, clock, log, onSilence }: SourcesServiceDeps) {
  let counts = new Map<string, SourceCounts>();

  function countsOf(name: string): SourceCounts {
    const source = storable(name);
    const known = counts.get(source);
    if (known) return known;
    if (counts.size >= SOURCES_AT_ONCE && source !== OTHERS) return countsOf(OTHERS);
    const made = { source, received: 0, stored: 0, rejected: 0, late: 0, last_seen: clock.now() };
    counts.set(source, made);
    return made;
  }

  return {
    count({ entries }: Parcel, stored: Stored): void {
      const now = clock.now();
      const lateBefore = new Date(now.getTime() - LATE_MS).toISOString();
      const places = new Map(entries.map((entry) => [entry.index, entry]));
      for (const { source } of entries) {
        const each = countsOf(source);
        each.received += 1;
        each.last_seen = now;
      }
      for (const { source, log: kept } of stored.entries) {
        const each = countsOf(source);
        each.stored += 1;
        if (kept && kept.timestamp < lateBefore) each.late += 1;
      }
      for (const { index } of stored.refused) countsOf(places.get(index)?.source ?? OTHERS).rejected += 1;
    },

    /** Writes down what was counted since. */
    async flush(): Promise<void> {
      if (counts.size === 0) return;
      const taken = counts;
      counts = new Map();
      try {
        await store.add([...taken.values()]);
      } catch (error) {
        for (const [source, before] of taken) {
          const each = countsOf(source);
          for (const name of ["received", "stored", "rejected", "late"] as const) each[name] += before[name];
        }
        throw error;
      }
    },

    /** Tells which sources have fallen silent since. */
    async listen(): Promise<void> {
      for (const { source, silent_since } of await store.markSilent(clock.now())) {
        log.warn({ source, silent_since }, "source has fallen silent");
        await onSilence?.(source, silent_since);
      }
    },

    states: (): Promise<SourceState[]> => store.all(),
  };
}
