import { formatCsvLine } from "../lists/csv.ts";
import type { Page } from "../lists/page.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import type { AuditEntryBody, AuditExportQuery, AuditFilter, AuditQuery } from "./audit.schema.ts";
import type { AuditStore } from "./audit.store.ts";
import { type Change, checkFilter } from "./audit.ts";
import type { EntriesStore } from "./entries.store.ts";

/** Records one change. Every feature that changes data receives it. */
export type Recorder = Pick<AuditStore, "record">;

/** Also records many changes in one statement. */
export type BulkRecorder = Pick<AuditStore, "record" | "recordAll">;

/** Records what happens outside any transaction, such as a sign-in. */
export interface Journal {
  record(change: Change): Promise<void>;
}

export interface AuditServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: EntriesStore; showcase: EntriesStore };
}
export type AuditService = ReturnType<typeof createAuditService>;

const EXPORT_BATCH_SIZE = 1000;

export function createAuditService({ runtime, stores }: AuditServiceDeps) {
  return {
    /** If nouns are given, lists only entries whose action begins with one of them. */
    async list(query: AuditQuery, nouns?: readonly string[]): Promise<Page<AuditEntryBody>> {
      checkFilter(query);
      return (await runtime.choose(stores)).list(query, nouns);
    },

    /** Returns the first entries that match, oldest first. */
    async select(filter: AuditFilter, limit: number): Promise<AuditEntryBody[]> {
      checkFilter(filter);
      return (await runtime.choose(stores)).next(filter, undefined, limit);
    },

    /**
     * Returns one JSON document or CSV record per line, oldest first, at the speed of the client. Throws before the
     * first line or not at all.
     */
    async exportLines({ format = "ndjson", ...filter }: AuditExportQuery): Promise<AsyncIterable<string>> {
      checkFilter(filter);
      const store = await runtime.choose(stores);
      return streamLines(store, filter, await store.next(filter, undefined, EXPORT_BATCH_SIZE), format);
    },
  };
}

const COLUMNS = ["id", "at", "actor", "action", "subject_type", "subject_id", "details"] as const;
const WRITERS = {
  ndjson: { head: "", write: (entry: AuditEntryBody) => `${JSON.stringify(entry)}\n` },
  csv: {
    head: formatCsvLine(COLUMNS),
    write: (entry: AuditEntryBody) => formatCsvLine(COLUMNS.map((name) => entry[name])),
  },
};

async function* streamLines(
  store: EntriesStore,
  filter: AuditFilter,
  first: AuditEntryBody[],
  format: keyof typeof WRITERS,
): AsyncIterable<string> {
  const { head, write } = WRITERS[format];
  if (head !== "") yield head;
  for (let entries = first; entries.length > 0; ) {
    yield entries.map(write).join("");
    if (entries.length < EXPORT_BATCH_SIZE) return;
    entries = await store.next(filter, entries.at(-1), EXPORT_BATCH_SIZE);
  }
}
