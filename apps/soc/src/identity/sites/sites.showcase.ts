import { DEFAULT_LIMIT, toPage } from "../../foundation/lists/page.ts";
import { nameAfter, ORDER, type Site } from "./site.ts";
import type { SitesStore } from "./sites.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    sites: Site[];
  }
}

export function createShowcaseSitesStore(sites: readonly Site[]): SitesStore {
  const sorted = sites.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    async list(_scope, query) {
      const after = nameAfter(query);
      const skip = query.skip ?? 0;
      const rows = sorted
        .filter(({ name }) => after === undefined || name > after)
        .slice(skip, skip + (query.limit ?? DEFAULT_LIMIT) + 1);
      return toPage({ query, order: ORDER, rows, total: { total: sorted.length }, positionOf: ({ name }) => [name] });
    },

    all: async () => sorted,

    findNames: async (texts) =>
      sorted.filter(({ id, name }) => texts.includes(id) || texts.includes(name)).map(({ id, name }) => ({ id, name })),

    // Its records name its sites.
    isRecorded: async () => false,
  };
}
