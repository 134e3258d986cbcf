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

/** The chain of the keys: its bundle proves each succession like an entry of a case. */
export const CHAIN_OF_KEYS = "00000000-0000-0000-0000-000000000000";
const ACTOR = "manara-soc keys rotate";
/** RFC 6962, section 2.1: the root of a tree without leaves. */
const EMPTY_ROOT = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/**
 * Makes the next key the signing key, in the transaction of the table owner. Waits for a process that is signing;
 * afterwards no process signs with the former key.
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
  if (alarm !== null) throw new Problem("conflict", `ledger: the key was not replaced because ${alarm}`);
  const at = clock.now().toISOString();
  const { tree_size, root_hash } = (await ledger.findCheckpoint()) ?? { tree_size: 0, root_hash: EMPTY_ROOT };
  const succession = signSuccession(former, next, { tree_size, root_hash, at });
  const chain = createChainStore(tx);
  await chain.lock(CHAIN_OF_KEYS);
  const head = await chain.findHead(CHAIN_OF_KEYS);
  // The next key immediately signs a checkpoint over this entry.
  await chain.insert(
    nextEntry(head, { case_id: CHAIN_OF_KEYS, kind: "ledger.key_replaced", actor: ACTOR, at, body: succession }),
  );
  await createSuccessionsWriter(tx).store(succession);
  return succession;
}
