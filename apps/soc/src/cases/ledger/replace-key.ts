import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { createChainStore } from "./chain.store.ts";
import { nextEntry } from "./chain.ts";
import { createLedgerStore } from "./ledger.store.ts";
import { type Succession, signSuccession } from "./succession.ts";
import { createSuccessionsWriter } from "./successions.store.ts";

/** The chain of the keys themselves: its bundle proves each succession like an entry of a case. */
export const CHAIN_OF_KEYS = "00000000-0000-0000-0000-000000000000";
const ACTOR = "manara-soc keys rotate";
/** RFC 6962, section 2.1: the root of a tree without leaves. */
const EMPTY_ROOT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/**
 * Makes the next key the one that signs the ledger, in the transaction of its owner. It waits for a process that signs at
 * this moment; none signs with the former key afterwards.
 */
export async function replaceLedgerKey(
  tx: Db,
  former: LedgerKey,
  next: LedgerKey,
  clock: Pick<Clock, "now">,
): Promise<Succession> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('ledger tree', 0))`.execute(tx);
  const ledger = createLedgerStore(tx);
  const { alarm } = await ledger.status();
  if (alarm !== null) throw new Problem("conflict", `ledger: its key is not replaced, because ${alarm}`);
  const at = clock.now().toISOString();
  const { tree_size, root_hash } = (await ledger.findCheckpoint()) ?? { tree_size: 0, root_hash: EMPTY_ROOT };
  const succession = signSuccession(former, next, { tree_size, root_hash, at });
  const chain = createChainStore(tx);
  await chain.lock(CHAIN_OF_KEYS);
  const head = await chain.findHead(CHAIN_OF_KEYS);
  // The next key signs a checkpoint over this entry at once.
  await chain.insert(
    nextEntry(head, { case_id: CHAIN_OF_KEYS, kind: "ledger.key_replaced", actor: ACTOR, at, body: succession }),
  );
  await createSuccessionsWriter(tx).store(succession);
  return succession;
}
