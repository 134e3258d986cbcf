import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { CheckpointBody, EntryBody } from "./ledger.schema.ts";
import { type CheckpointRow, type LeafRow, type NullableEntry, toEntry } from "./ledger.ts";
import type { TreeNode } from "./merkle.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    ledger_leaves: LeafRow;
    ledger_nodes: TreeNode;
    ledger_checkpoints: CheckpointRow;
  }
}

export interface PendingEntry extends Pick<EntryBody, "case_id" | "sequence"> {
  id: string;
  /** Undefined if the list names an entry that does not exist. */
  entry: EntryBody | undefined;
}

type WaitingEntry = Pick<PendingEntry, "id" | "case_id" | "sequence"> & NullableEntry;

export function createTreeStore(db: Db) {
  return {
    /** Does not block: returns false if another process holds the lock. The lock ends with the transaction. */
    async tryLock(): Promise<boolean> {
      const { rows } = await sql<{ is_locked: boolean }>`
        SELECT pg_try_advisory_xact_lock(hashtextextended('ledger tree', 0)) AS is_locked`.execute(db);
      return rows[0]?.is_locked ?? false;
    },

    async readSize(): Promise<number> {
      const last = await db
        .selectFrom("ledger_leaves")
        .select("leaf_index")
        .orderBy("leaf_index", "desc")
        .limit(1)
        .executeTakeFirst();
      return last ? last.leaf_index + 1 : 0;
    },

    /** Returns the committed entries that are not in the tree yet, with each chain in order. */
    async listWaiting(limit: number): Promise<PendingEntry[]> {
      const { rows } = await sql<WaitingEntry>`
        SELECT id, case_id, sequence, previous_hash, entry_hash, kind, actor, at, body
        FROM ledger_waiting LEFT JOIN ledger_entries USING (case_id, sequence) ORDER BY id LIMIT ${limit}`.execute(db);
      return rows.map(({ id, case_id, sequence, ...content }) => {
        const name = { case_id, sequence };
        return { id, ...name, entry: toEntry(name, content) };
      });
    },

    async removeWaiting(taken: readonly PendingEntry[]): Promise<void> {
      await sql`DELETE FROM ledger_waiting WHERE id = ANY(${taken.map(({ id }) => id)}::bigint[])`.execute(db);
    },

    async insertLeaves(treeSize: number, taken: readonly EntryBody[]): Promise<void> {
      const leaves = taken.map(({ case_id, sequence }, index) => ({ leaf_index: treeSize + index, case_id, sequence }));
      await db.insertInto("ledger_leaves").values(leaves).execute();
    },

    async insertNodes(nodes: readonly TreeNode[]): Promise<void> {
      await db.insertInto("ledger_nodes").values(nodes).execute();
    },

    async insertCheckpoint({ at, ...checkpoint }: CheckpointBody): Promise<void> {
      await db
        .insertInto("ledger_checkpoints")
        .values({ ...checkpoint, at: new Date(at) })
        .execute();
    },

    /** Stores the result of this check for all processes. */
    async writeStatus(alarm: string | undefined, checkedAt: Date): Promise<void> {
      await sql`UPDATE ledger_status SET alarm = ${alarm ?? null}, checked_at = ${checkedAt}`.execute(db);
    },
  };
}
