import { toPage } from "../../foundation/lists/page.ts";
import { ORDER, type ReadableDeadLetters } from "./pipeline/dead-letters.store.ts";

/** The showcase has no dead letters. */
export function createShowcaseDeadLetters(): ReadableDeadLetters {
  return {
    list: async (query) => toPage({ query, order: ORDER, rows: [], total: { total: 0 }, positionOf: () => [] }),
    find: async () => undefined,
  };
}
