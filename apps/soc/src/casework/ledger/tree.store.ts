import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { CheckpointBody, EntryBody } from "./ledger.schema.ts";
import type { CheckpointRow, LeafRow } from "./ledger.ts";
import type { TreeNode } from "./merkle.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    ledger_leaves: LeafRow;
    ledger_nodes: TreeNode;
    ledger_checkpoints: CheckpointRow;
  }
}

/** Non-blocking: returns false when another process holds the lock. The lock ends with the transaction. */
export async function tryLockTree(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('ledger tree', 0)) AS is_locked`.execute(tx);
  return rows[0]?.is_locked ?? false;
}

export async function readTreeSize(tx: Db): Promise<number> {
  const last = await tx
    .selectFrom("ledger_leaves")
    .select("leaf_index")
    .orderBy("leaf_index", "desc")
    .limit(1)
    .executeTakeFirst();
  return last ? last.leaf_index + 1 : 0;
}

type Waiting = Pick<EntryBody, "case_id" | "sequence" | "entry_hash">;

/** Removes committed entries from the queue and returns them; each chain keeps its order. */
export async function takeWaiting(tx: Db, limit: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    WITH taken AS (
      DELETE FROM ledger_waiting WHERE id IN (SELECT id FROM ledger_waiting ORDER BY id LIMIT ${limit})
      RETURNING id, case_id, sequence
    )
    SELECT case_id, sequence, entry_hash FROM taken JOIN ledger_entries USING (case_id, sequence) ORDER BY id`.execute(
    tx,
  );
  return rows;
}

export async function insertLeaves(tx: Db, treeSize: number, taken: readonly Waiting[]): Promise<void> {
  const leaves = taken.map(({ case_id, sequence }, index) => ({ leaf_index: treeSize + index, case_id, sequence }));
  await tx.insertInto("ledger_leaves").values(leaves).execute();
}

export async function insertNodes(tx: Db, nodes: readonly TreeNode[]): Promise<void> {
  await tx.insertInto("ledger_nodes").values(nodes).execute();
}

export async function insertCheckpoint(tx: Db, { at, ...checkpoint }: CheckpointBody): Promise<void> {
  await tx
    .insertInto("ledger_checkpoints")
    .values({ ...checkpoint, at: new Date(at) })
    .execute();
}

/** Stores the result of this check for all processes. */
export async function writeStatus(tx: Db, alarm: string | undefined, checkedAt: Date): Promise<void> {
  await sql`UPDATE ledger_status SET alarm = ${alarm ?? null}, checked_at = ${checkedAt}`.execute(tx);
}
