import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import type { Tx } from "../../foundation/database/tables.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { createLedgerStore } from "../ledger/ledger.store.ts";
import { createSuccessionsStore } from "../ledger/successions.store.ts";
import { createAuditChainStore } from "./audit-chain.store.ts";
import { readPublicKeys } from "./audit-chain.ts";
import { checkBatchesFrom } from "./audit-check.ts";
import { type AuditDeletion, countDeleted, signDeletion } from "./audit-deletion.ts";

export interface DeletedEntries {
  entries: number;
  /** The time of the last one. */
  until: Date;
  statement: AuditDeletion;
}

/**
 * Deletes the entries of the longest prefix of batches whose entries are all older, in a transaction of the table owner.
 * Returns undefined if there are none. Refuses while the database has a fault that no operator has accepted.
 */
export async function deleteAuditEntries(
  tx: Tx,
  { before, reason }: { before: Date; reason: string },
  { key, clock }: { key: LedgerKey; clock: Pick<Clock, "now"> },
): Promise<DeletedEntries | undefined> {
  const store = createAuditChainStore(tx);
  await store.lock();
  if (!(await createSuccessionsStore(tx).isCurrent(key.key_id))) {
    throw invalidField("SOC_LEDGER_KEY_FILE", "is not the key that signs the ledger of this database");
  }
  const { alarm, faults } = await createLedgerStore(tx).status();
  requireNone(alarm ?? faults[0]);
  let batches = countDeleted(await store.listDeletions(), await readPublicKeys(tx, key));
  let entries = 0;
  let until = 0;
  for (let isOlder = true; isOlder; ) {
    const checked = await checkBatchesFrom(tx, batches + 1, key);
    const newer = checked.findIndex((batch) => batch.entries.some(({ at }) => at >= before));
    isOlder = newer === -1 && checked.length > 0;
    const older = newer === -1 ? checked : checked.slice(0, newer);
    const [fault] = await store.selectUnaccepted(older.flatMap((batch) => batch.faults));
    requireNone(fault?.what);
    const found = older.flatMap((batch) => batch.entries);
    await store.deleteEntries(found.map(({ id }) => id));
    entries += found.length;
    until = found.reduce((latest, { at }) => Math.max(latest, at.getTime()), until);
    batches = older.at(-1)?.sequence ?? batches;
  }
  if (entries === 0) return undefined;
  const at = clock.now().toISOString();
  const statement = signDeletion(key, { batches, before: before.toISOString(), reason, at });
  await store.insertDeletion(statement);
  return { entries, until: new Date(until), statement };
}

function requireNone(fault: string | undefined): void {
  if (fault !== undefined) throw new Problem("conflict", `nothing was deleted because ${fault}`);
}
