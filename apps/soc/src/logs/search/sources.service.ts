import { DEFAULT_LIMIT, decodeCursor, type Page, toPage } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogSource, MissingStores } from "../../ports/log-store.ts";
import type { LogsStore } from "./logs.store.ts";
import { type PartialAnswer, toPartial } from "./partial.ts";
import type { ListSourcesQuery, SourceBody, SourceCounts, SourceSettings } from "./sources.schema.ts";

/** The intake's data about each source: its counters, and the settings that differ from the default. */
export interface SourceCounters {
  counters(): Promise<ReadonlyMap<string, SourceCounts>>;
  settings(): Promise<ReadonlyMap<string, SourceSettings>>;
}

export interface SourcesServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: SourcesParts; showcase: SourcesParts };
}
export type SourcesService = ReturnType<typeof createSourcesService>;

interface SourcesParts {
  logs: Pick<LogsStore, "sources">;
  intake: SourceCounters;
}

const ORDER = "source";
// For sources that were stored before counting started, or whose counters have expired.
const NOT_COUNTED: SourceCounts = { received: 0, stored: 0, rejected: 0, late: 0, silent_since: null };
const NOT_SET: SourceSettings = { watch: true, timezone: null };

export function createSourcesService({ runtime, stores }: SourcesServiceDeps) {
  return {
    /** Sorted by name: sources with stored logs, and sources that were only received or only have settings. */
    async list(query: ListSourcesQuery): Promise<Page<SourceBody> & PartialAnswer> {
      const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
      const after = cursor === undefined ? undefined : String(decodeCursor(ORDER, cursor)[0]);
      const { logs, intake } = await runtime.choose(stores);
      const missing: MissingStores = new Set();
      const [known, counters, settings] = await Promise.all([
        logs.sources(missing),
        intake.counters(),
        intake.settings(),
      ]);
      const stored = new Map(known.map((each) => [each.source, each]));
      const names = [...new Set([...stored.keys(), ...counters.keys(), ...settings.keys()])].toSorted((a, b) =>
        a < b ? -1 : 1,
      );
      const rows = names
        .filter((source) => after === undefined || source > after)
        .slice(skip, skip + limit + 1)
        .map((source) => ({
          ...toCountedSource(source, stored.get(source), counters.get(source)),
          ...toSettings(settings.get(source)),
        }));
      const total = { total: names.length };
      const page = toPage({ query, order: ORDER, rows, total, positionOf: (row) => [row.source] });
      return { ...page, ...toPartial(missing) };
    },
  };
}

function toSettings({ watch, timezone } = NOT_SET): SourceSettings {
  return { watch, timezone };
}

function toCountedSource(
  source: string,
  known: LogSource | undefined,
  counts = NOT_COUNTED,
): Omit<SourceBody, keyof SourceSettings> {
  const { events = 0, first_seen = null, last_seen = null } = known ?? {};
  const { received, stored, rejected, late, silent_since } = counts;
  return { source, events, first_seen, last_seen, received, stored, rejected, late, silent_since };
}
