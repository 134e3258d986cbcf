import type { CellsStore } from "./cells.store.ts";

/** The platform of the showcase is no cell. */
export function createShowcaseCellsStore(): CellsStore {
  return { listSeen: async () => [], findRoot: async () => undefined, listMoves: async () => [] };
}
