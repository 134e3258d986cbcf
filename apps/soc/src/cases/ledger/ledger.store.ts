import { invalidField } from "@kit/problem";
import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { countTotal } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { DEFAULT_LIMIT, decodeCursor, type Page, toPage } from "../../foundation/lists/page.ts";
import type { CheckpointBody, LedgerStatusBody } from "./ledger.schema.ts";
import type { CheckpointRow, EntryRow, PlacedEntry } from "./ledger.ts";
import type { NodePlace } from "./merkle.ts";
import { JOINED_ALARMS } from "./witness.store.ts";

export interface LedgerStore {
  status(): Promise<LedgerStatusBody>;
  listCheckpoints(query: PageQuery): Promise<Page<CheckpointBody>>;
  /** Returns the checkpoint of that tree size; without a size, the latest one. */
  findCheckpoint(treeSize?: number): Promise<CheckpointBody | undefined>;
  /** The entries in chain order. */
  listEntries(case_id: string): Promise<PlacedEntry[]>;
  findEntry(case_id: string, sequence: number): Promise<PlacedEntry | undefined>;
  /** The entries with these sequences, in chain order. */
  findEntries(case_id: string, sequences: readonly number[]): Promise<PlacedEntry[]>;
  hashesAt(places: readonly NodePlace[]): Promise<(place: NodePlace) => string>;
}

const ORDER = "tree_size desc";
const MAX_TREE_SIZE = 2_147_483_647;

type Instants = Record<"checked_at" | "last_checkpoint_at" | "fully_checked_at", Date | null>;
type StatusRow = Omit<LedgerStatusBody, keyof Instants> & Instants;
const NEVER_CHECKED: StatusRow = {
  alarm: null,
  checked_at: null,
  tree_size: 0,
  waiting: 0,
  last_checkpoint_at: null,
  fully_checked_at: null,
  faults: [],
};

/** Parses the tree size of a cursor. A forged cursor fails here, not in the database. */
function sizeBefore(cursor: string): number {
  const size = Number(decodeCursor(ORDER, cursor)[0]);
  if (Number.isInteger(size) && size >= 0 && size <= MAX_TREE_SIZE) return size;
  throw invalidField("cursor", "must come from this list with the same order");
}

export function createLedgerStore(db: Db): LedgerStore {
  const checkpoints = () => db.selectFrom("ledger_checkpoints").selectAll();
  const selectEntries = (case_id: string) =>
    db
      .selectFrom("ledger_entries as entry")
      .leftJoin("ledger_leaves as leaf", (join) =>
        join.onRef("leaf.case_id", "=", "entry.case_id").onRef("leaf.sequence", "=", "entry.sequence"),
      )
      .selectAll("entry")
      .select("leaf.leaf_index")
      .where("entry.case_id", "=", case_id);
  return {
    async status() {
      const { rows } = await sql<StatusRow>`
        SELECT coalesce(${JOINED_ALARMS}, alarm) AS alarm, checked_at, fully_checked_at, coalesce(tree_size, 0) AS tree_size, at AS last_checkpoint_at,
          (SELECT count(*) FROM ledger_waiting)::int AS waiting,
          ARRAY(SELECT what FROM ledger_faults WHERE NOT is_accepted ORDER BY found_at, subject LIMIT 100) AS faults
        FROM ledger_status LEFT JOIN (
          SELECT tree_size, at FROM ledger_checkpoints ORDER BY tree_size DESC LIMIT 1
        ) AS latest ON true`.execute(db);
      const [{ checked_at, last_checkpoint_at, fully_checked_at, ...status } = NEVER_CHECKED] = rows;
      return {
        ...status,
        checked_at: checked_at?.toISOString() ?? null,
        last_checkpoint_at: last_checkpoint_at?.toISOString() ?? null,
        fully_checked_at: fully_checked_at?.toISOString() ?? null,
      };
    },

    async listCheckpoints(query) {
      const after = query.cursor === undefined ? undefined : sizeBefore(query.cursor);
      const rows = await checkpoints()
        .$if(after !== undefined, (page) => page.where("tree_size", "<", after ?? 0))
        .orderBy("tree_size", "desc")
        .offset(query.skip ?? 0)
        .limit((query.limit ?? DEFAULT_LIMIT) + 1)
        .execute();
      return toPage({
        query,
        order: ORDER,
        rows: rows.map(toCheckpoint),
        total: await countTotal(db, checkpoints()),
        positionOf: ({ tree_size }) => [tree_size],
      });
    },

    async findCheckpoint(treeSize) {
      const row = await checkpoints()
        .$if(treeSize !== undefined, (query) => query.where("tree_size", "=", treeSize ?? 0))
        .orderBy("tree_size", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && toCheckpoint(row);
    },

    async listEntries(case_id) {
      const rows = await selectEntries(case_id).orderBy("entry.sequence").execute();
      return rows.map(toPlacedEntry);
    },

    async findEntry(case_id, sequence) {
      const row = await selectEntries(case_id).where("entry.sequence", "=", sequence).executeTakeFirst();
      return row && toPlacedEntry(row);
    },

    async findEntries(case_id, sequences) {
      if (sequences.length === 0) return [];
      const rows = await selectEntries(case_id)
        .where("entry.sequence", "in", [...sequences])
        .orderBy("entry.sequence")
        .execute();
      return rows.map(toPlacedEntry);
    },

    async hashesAt(places) {
      const { rows } = await sql<NodePlace & { hash: string }>`
        SELECT level, position, hash
        FROM unnest(${places.map(({ level }) => level)}::smallint[], ${places.map(({ position }) => position)}::int[])
          AS wanted (level, position)
        JOIN ledger_nodes USING (level, position)`.execute(db);
      const hashes = new Map(rows.map(({ level, position, hash }) => [`${level}/${position}`, hash]));
      return ({ level, position }) => {
        const hash = hashes.get(`${level}/${position}`);
        if (hash === undefined) throw new Error(`the ledger's tree has no node ${level}/${position}`);
        return hash;
      };
    },
  };
}

function toCheckpoint({ at, ...row }: CheckpointRow): CheckpointBody {
  return { ...row, at: at.toISOString() };
}

function toPlacedEntry({ at, leaf_index, ...row }: EntryRow & { leaf_index: number | null }): PlacedEntry {
  return { entry: { ...row, at: at.toISOString() }, leaf_index: leaf_index ?? undefined };
}
