import { pageInMemory } from "../lists/order.ts";
import type { AuditEntryBody } from "./audit.schema.ts";
import { matches, NEWEST_FIRST } from "./audit.ts";
import type { EntriesStore } from "./entries.store.ts";

declare module "../showcase/showcase.ts" {
  interface Showcase {
    /** Sorted oldest first. */
    audit: AuditEntryBody[];
  }
}

/** The same reads over entries in memory; `entries` is sorted oldest first. */
export function createShowcaseEntriesStore(entries: readonly AuditEntryBody[]): EntriesStore {
  return {
    async list(query, nouns) {
      const isNamed = ({ action }: AuditEntryBody) => nouns?.includes(action.split(".", 1)[0] ?? "") ?? true;
      const found = entries.filter((entry) => matches(query, entry) && isNamed(entry));
      return pageInMemory(found, NEWEST_FIRST, query);
    },

    async next(filter, after, limit) {
      const found = entries.filter((entry) => matches(filter, entry));
      const start = found.findIndex(({ id }) => id === after?.id) + 1;
      return found.slice(start, start + limit);
    },
  };
}
