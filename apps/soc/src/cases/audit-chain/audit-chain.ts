import type { Clock } from "@kit/clock";
import type { AuditEntryBody } from "../../foundation/audit/audit.schema.ts";
import { formatSealed, hashStored, hashWritten } from "../../foundation/audit/seal.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { verifyEd25519 } from "../../foundation/records/digest.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { LedgerService } from "../ledger/ledger.service.ts";
import { CHAIN_OF_AUDIT } from "../ledger/ledger.ts";
import { findPath } from "../ledger/succession.ts";
import { createSuccessionsStore } from "../ledger/successions.store.ts";
import { BATCH_KIND, BATCH_SIZE, ORIGINS, type Origin } from "./audit-batch.ts";
import { createAuditChainStore, type WaitingEntries } from "./audit-chain.store.ts";

export interface AuditChainDeps {
  ledger: Pick<LedgerService, "append">;
  key: LedgerKey;
  clock: Pick<Clock, "now">;
}

export type PublicKeyOf = (key_id: string) => string | undefined;

/** An entry for the chain: its id and hash. */
type Hashed = [id: string, hash: string];

const WAITING_SIZE = 1000;
const READ_SIZE = 2000;
/** How long entries without a seal are accepted after an upgrade, while processes of the former release may run. */
const UPGRADE_MS = 24 * 3600 * 1000;
const ACTOR = "manara-soc";

/** Returns the public keys of this process and of the keys before it. */
export async function readPublicKeys(tx: Tx, key: LedgerKey): Promise<PublicKeyOf> {
  const successions = await createSuccessionsStore(tx).list();
  return (key_id) =>
    key_id === key.key_id ? key.public_key : findPath(key_id, key.key_id, successions)?.[0]?.public_key;
}

/** Adds audit entries to the chain. Call each function in a transaction that holds the lock of the chain. */
export function createAuditChain({ ledger, key, clock }: AuditChainDeps) {
  async function append(tx: Tx, judged: readonly [Origin, Hashed][]): Promise<void> {
    const store = createAuditChainStore(tx);
    for (const origin of ORIGINS) {
      const all = judged.filter(([of]) => of === origin).map(([, hashed]) => hashed);
      for (let start = 0; start < all.length; start += BATCH_SIZE) {
        const entries = all.slice(start, start + BATCH_SIZE);
        const body = { origin, entries };
        const { sequence } = await ledger.append(tx, CHAIN_OF_AUDIT, { kind: BATCH_KIND, actor: ACTOR, body });
        await store.insertPositions(
          sequence,
          entries.map(([id]) => id),
        );
      }
    }
  }

  return {
    /** Adds waiting entries. Returns how many; 0 if none waits. */
    async addWaiting(tx: Tx): Promise<number> {
      const store = createAuditChainStore(tx);
      const waiting = await store.listWaiting(WAITING_SIZE);
      if (waiting.length === 0) return 0;
      const [found, publicKeyOf] = [
        await store.findEntries(waiting.flatMap(({ entry_ids }) => entry_ids)),
        await readPublicKeys(tx, key),
      ];
      const judged: [Origin, Hashed][] = [];
      const seen = new Set<string>();
      for (const row of waiting) {
        const isSealed = isGenuine(row, publicKeyOf);
        for (const [place, id] of row.entry_ids.entries()) {
          const { entry, batch } = found.get(id) ?? { entry: undefined, batch: undefined };
          // The owner of the database can list an entry again; its place in the chain stays.
          if (batch !== undefined || seen.has(id)) continue;
          seen.add(id);
          const [origin, hash] = judge(row.hashes[place] ?? "", entry, isSealed);
          judged.push([origin, [id, hash]]);
        }
      }
      await append(tx, judged);
      await store.removeWaiting(waiting.map(({ id }) => id));
      return seen.size;
    },

    /**
     * Reads the next entries of the audit log and adds those that neither the chain nor the waiting list has: older ones
     * after an upgrade, and later those that another program inserted. Returns whether there are more.
     */
    async addUnlisted(tx: Tx): Promise<boolean> {
      const store = createAuditChainStore(tx);
      const progress = await store.readProgress();
      const entries = await store.listEntries(progress.lastEntry, READ_SIZE);
      const unlisted = entries.filter(({ is_listed }) => !is_listed);
      const acceptsUntil = progress.acceptsUnsealedUntil ?? firstAcceptance(unlisted, clock.now());
      const isAccepted = progress.backfilledAt === undefined || clock.now() < acceptsUntil;
      const origin = isAccepted ? "before_chain" : "unsealed";
      const hashed = unlisted.map((entry): [Origin, Hashed] => [origin, [entry.id, hashStored(entry)]]);
      await append(tx, hashed);
      await store.writeProgress({
        ...progress,
        acceptsUnsealedUntil: acceptsUntil,
        lastEntry: entries.at(-1) ?? progress.lastEntry,
      });
      return entries.length === READ_SIZE;
    },
  };
}

export type AuditChain = ReturnType<typeof createAuditChain>;

/** A new platform has no older entries, so it accepts none without a seal. */
function firstAcceptance(unlisted: readonly unknown[], now: Date): Date {
  return unlisted.length === 0 ? now : new Date(now.getTime() + UPGRADE_MS);
}

function judge(written: string, entry: AuditEntryBody | undefined, isSealed: boolean): [Origin, string] {
  if (!entry) return ["removed", written];
  const isIntact = isSealed && hashWritten(entry) === written;
  return [isIntact ? "service" : "unsealed", hashStored(entry)];
}

function isGenuine({ entry_ids, hashes, key_id, seal }: WaitingEntries, publicKeyOf: PublicKeyOf): boolean {
  const publicKey = publicKeyOf(key_id);
  if (publicKey === undefined || !/^[0-9a-f]{128}$/.test(seal)) return false;
  const message = Buffer.from(formatSealed({ entry_ids, hashes }));
  return verifyEd25519(Buffer.from(publicKey, "hex"), message, Buffer.from(seal, "hex"));
}
