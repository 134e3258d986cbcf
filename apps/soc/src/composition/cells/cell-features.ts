import { type CellsNeeds, createCells } from "../../casework/cells/cells.feature.ts";
import { createSiteMoves, type SiteMovesNeeds } from "../../logs/site-moves/site-moves.feature.ts";
import type { PlatformNeeds } from "../platform-needs.ts";

type Given = Pick<CellsNeeds, "sites" | "ledger" | "outbound"> & Pick<SiteMovesNeeds, "openSites" | "ledger">;

/** Creates what a cell knows of the others, and the moves of sites between them, which need the intake. */
export function createCellFeatures(needs: PlatformNeeds, given: Given) {
  const { base, files } = needs;
  const settings = files.cells;
  const cells = createCells(base, { ...given, key: files.ledgerKey, settings });
  const createMoves = ({ writers, partitions }: Pick<SiteMovesNeeds, "writers" | "partitions">) =>
    createSiteMoves(base, { ...needs, ...given, ...cells, writers, partitions, settings });
  return { ...cells, createMoves };
}
