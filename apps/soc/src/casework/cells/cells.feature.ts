import type { Base } from "../../foundation/base.ts";
import type { Db } from "../../foundation/database/tables.ts";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { LedgerService } from "../ledger/ledger.service.ts";
import type { SitesService } from "../sites/sites.service.ts";
import type { CellSettings } from "./cell.ts";
import { cellsRoutes } from "./cells.routes.ts";
import { createCellsService } from "./cells.service.ts";
import { createShowcaseCellsStore } from "./cells.showcase.ts";
import { createCellsStore, createCellsWriter } from "./cells.store.ts";
import { createCellsWorker } from "./cells.worker.ts";
import { requireCell } from "./require-cell.ts";
import { createSiteMovesWriter } from "./site-moves.store.ts";

export interface CellsNeeds {
  settings: CellSettings | undefined;
  sites: Pick<SitesService, "all">;
  ledger: Pick<LedgerService, "listCheckpoints">;
  outbound: Pick<OutboundService, "send">;
  key: LedgerKey;
}

const ROOTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const SWEEP_BATCH_SIZE = 1000;

/** Which cell has which site, and the tree over the cells' ledgers. Without settings, a platform that is no cell. */
export function createCells(base: Base, { settings, sites, ledger, outbound, key }: CellsNeeds) {
  const { db, runtime, clock, log } = base;
  const stores = base.sources(createCellsStore, createShowcaseCellsStore);
  const cells = createCellsService({ settings, runtime, stores, sites, ledger, key, clock });
  const writer = createCellsWriter(db);
  const isAllowed = async () => (await runtime.truth()).is_internal_workflows_allowed;
  const worker =
    settings &&
    createCellsWorker({ settings, store: stores.database, writer, cells, outbound, isAllowed, key, clock, log });
  return {
    cells,
    /** Undefined for a platform that is no cell. */
    worker,
    /** Undefined for a platform that is no cell: it has every site. */
    findRefusals: settings && cells.findRefusals,
    /** The sites that this cell gives to others, in a transaction or outside of one. */
    openMoves: (tx: Db) => createSiteMovesWriter(tx),
    routes: [cellsRoutes(cells)],
    ...(worker && {
      guards: [(app: Parameters<typeof requireCell>[0]) => requireCell(app, cells)],
      createWork: () => ({ background: () => [worker] }),
      sweeps: [
        {
          name: "roots over cells",
          run: () => writer.deleteRoots(new Date(clock.now().getTime() - ROOTS_KEPT_MS), SWEEP_BATCH_SIZE),
        },
      ],
    }),
  };
}
