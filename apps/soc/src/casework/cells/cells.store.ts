import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { SeenCell, SiteMove } from "./cell.ts";
import type { LeafBody, RootBody, StatementBody } from "./cells.schema.ts";

interface StoredRoot extends RootBody {
  leaves: LeafBody[];
}
type RootRow = Omit<StoredRoot, "at"> & { at: Date };

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    cell_statements: SeenCell;
    cell_roots: RootRow;
  }
}

export interface CellsStore {
  listSeen(): Promise<SeenCell[]>;
  findRoot(): Promise<StoredRoot | undefined>;
  /** The sites that this cell gives to others. */
  listMoves(): Promise<SiteMove[]>;
}

export function createCellsStore(db: Db): CellsStore {
  return {
    listSeen: () =>
      db.selectFrom("cell_statements").select(["cell", "statement", "seen_at", "problem"]).orderBy("cell").execute(),

    async findRoot() {
      const root = await db.selectFrom("cell_roots").selectAll().orderBy("number", "desc").limit(1).executeTakeFirst();
      return root && { ...root, at: root.at.toISOString() };
    },

    listMoves: () => db.selectFrom("site_moves").select(["site_id", "site_name", "to_cell", "state"]).execute(),
  };
}

export interface CellsWriter {
  /** Keeps the last genuine statement of a cell. */
  keep(cell: string, statement: StatementBody, at: Date): Promise<void>;
  /** Keeps why a cell could not be asked, beside its last statement. */
  keepProblem(cell: string, problem: string): Promise<void>;
  /** Returns false when another process has stored the root with this number. */
  insertRoot(root: StoredRoot): Promise<boolean>;
  /** Deletes at most this many roots, the oldest first, that are older than the time and not the newest. */
  deleteRoots(before: Date, limit: number): Promise<number>;
}

export function createCellsWriter(db: Db): CellsWriter {
  return {
    async keep(cell, statement, at) {
      const row = { statement, seen_at: at, problem: null };
      await db
        .insertInto("cell_statements")
        .values({ cell, ...row })
        .onConflict((known) => known.column("cell").doUpdateSet(row))
        .execute();
    },

    async keepProblem(cell, problem) {
      await db
        .insertInto("cell_statements")
        .values({ cell, statement: null, seen_at: null, problem })
        .onConflict((known) => known.column("cell").doUpdateSet({ problem }))
        .execute();
    },

    async insertRoot({ leaves, at, ...root }) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("cell_roots")
        .values({ ...root, at: new Date(at), leaves: sql`${JSON.stringify(leaves)}::jsonb` })
        .onConflict((taken) => taken.column("number").doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async deleteRoots(before, limit) {
      const { numDeletedRows } = await db
        .deleteFrom("cell_roots")
        .where("number", "in", (old) =>
          old
            .selectFrom("cell_roots")
            .select("number")
            .where("at", "<", before)
            .where("number", "<", (newest) =>
              newest.selectFrom("cell_roots").select(({ fn }) => fn.max("number").as("max")),
            )
            .orderBy("number")
            .limit(limit),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
