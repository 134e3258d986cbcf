import { pageInMemory } from "../../foundation/lists/order.ts";
import { isListed, NEWEST_FIRST, NEWEST_HITS_FIRST, type WholeIoc } from "./ioc.ts";
import type { IocsStore } from "./iocs.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    iocs: WholeIoc[];
  }
}

/** The read-only indicators of the showcase. */
export function createShowcaseIocsStore(iocs: readonly WholeIoc[]): IocsStore {
  const shown = iocs.map(({ seen_in: _, ...ioc }) => ioc);
  const plain = shown.map(({ searched_at: _, search_is_capped: __, ...ioc }) => ioc);
  return {
    list: async (query, now) => pageInMemory(plain, NEWEST_FIRST, query, (ioc) => isListed(ioc, query, now)),
    find: async (id) => shown.find((ioc) => ioc.id === id),
    findKnown: async (ids) => ids.filter((id) => shown.some((ioc) => ioc.id === id)),
    listHits: async (id, query) =>
      pageInMemory(iocs.find((ioc) => ioc.id === id)?.seen_in ?? [], NEWEST_HITS_FIRST, query),
    next: async (filter, now, after, limit) =>
      plain
        .filter((ioc) => isListed(ioc, filter, now) && (after === undefined || ioc.id > after))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
  };
}
