import { DEFAULT_LIMIT, decodeCursor, type Page, toPage } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogSource } from "./log-store.ts";
import type { LogsStore } from "./logs.store.ts";
import type { ListSourcesQuery, SourceBody, SourceCounts } from "./sources.schema.ts";

/** The intake's counters of each source. */
export interface SourceCounters {
  counters(): Promise<ReadonlyMap<string, SourceCounts>>;
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

export function createSourcesService({ runtime, stores }: SourcesServiceDeps) {
  return {
    /** Sorted by name: sources with stored logs and sources that were only received. */
    async list(query: ListSourcesQuery): Promise<Page<SourceBody>> {
      const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
      const after = cursor === undefined ? undefined : String(decodeCursor(ORDER, cursor)[0]);
      const { logs, intake } = await runtime.choose(stores);
      const [known, counters] = await Promise.all([logs.sources(), intake.counters()]);
      const stored = new Map(known.map((each) => [each.source, each]));
      const names = [...new Set([...stored.keys(), ...counters.keys()])].toSorted((a, b) => (a < b ? -1 : 1));
      const rows = names
        .filter((source) => after === undefined || source > after)
        .slice(skip, skip + limit + 1)
        .map((source) => toSourceBody(source, stored.get(source), counters.get(source)));
      return toPage({ query, order: ORDER, rows, total: { total: names.length }, positionOf: (row) => [row.source] });
    },
  };
}

function toSourceBody(source: string, known: LogSource | undefined, counts = NOT_COUNTED): SourceBody {
  const { events = 0, first_seen = null, last_seen = null } = known ?? {};
  const { received, stored, rejected, late, silent_since } = counts;
  return { source, events, first_seen, last_seen, received, stored, rejected, late, silent_since };
}
