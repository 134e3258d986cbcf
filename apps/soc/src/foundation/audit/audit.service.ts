import type { Page } from "../lists/page.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import type { AuditEntryBody, AuditFilter, AuditQuery } from "./audit.schema.ts";
import type { AuditStore } from "./audit.store.ts";
import { type Change, checkFilter } from "./audit.ts";
import type { EntriesStore } from "./entries.store.ts";

/** Records one change; every feature that changes data takes it. */
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
    /** With nouns, only the entries whose action begins with one of them. */
    async list(query: AuditQuery, nouns?: readonly string[]): Promise<Page<AuditEntryBody>> {
      checkFilter(query);
      return (await runtime.choose(stores)).list(query, nouns);
    },

    /**
     * One JSON document per line, oldest first, read at the speed of the client. Throws before the first line or not at
     * all.
     */
    async exportLines(filter: AuditFilter): Promise<AsyncIterable<string>> {
      checkFilter(filter);
      const store = await runtime.choose(stores);
      return streamLines(store, filter, await store.next(filter, undefined, EXPORT_BATCH_SIZE));
    },
  };
}

async function* streamLines(store: EntriesStore, filter: AuditFilter, first: AuditEntryBody[]): AsyncIterable<string> {
  for (let entries = first; entries.length > 0; ) {
    yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    if (entries.length < EXPORT_BATCH_SIZE) return;
    entries = await store.next(filter, entries.at(-1), EXPORT_BATCH_SIZE);
  }
}
