import { toPage } from "../../foundation/lists/page.ts";
import { type ApiKeysStore, ORDER } from "./api-keys.store.ts";

/** The showcase has no API keys. */
export function createShowcaseApiKeysStore(): ApiKeysStore {
  return {
    list: async (query) => toPage({ query, order: ORDER, rows: [], total: { total: 0 }, positionOf: () => [] }),
    findByHash: async () => undefined,
    markUsed: async () => undefined,
    findPeople: async () => [],
  };
}
