import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { AlertsService, NewAlert } from "../../alerts/module.ts";
import type { AuditEntryBody } from "../../foundation/audit/audit.schema.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { createCheckStore } from "../ledger/check.store.ts";
import { type AuditFault, findBatchFaults, readBatch } from "./audit-batch.ts";
import { type AuditChainStore, createAuditChainStore, type Progress } from "./audit-chain.store.ts";
import { type AuditChain, readPublicKeys } from "./audit-chain.ts";
import { countDeleted } from "./audit-deletion.ts";

export interface AuditCheckDeps {
  chain: AuditChain;
  alerts: Pick<AlertsService, "create">;
  key: LedgerKey;
  clock: Pick<Clock, "now">;
  log: Pick<Log, "error">;
}

const LEDGER: Caller = { kind: "api_key", username: "ledger", role: "agent" };
const CHECK_BATCHES = 40;
const MAX_NAMED = 20;

export interface CheckedBatch {
  sequence: number;
  faults: AuditFault[];
  /** Those of its entries that the audit log has. */
  entries: AuditEntryBody[];
}

/** Compares the next batches with the audit log. Call it in a transaction that holds the lock of the chain. */
export async function checkBatchesFrom(tx: Tx, from: number, key: LedgerKey): Promise<CheckedBatch[]> {
  const store = createAuditChainStore(tx);
  const batches = (await store.listBatches(from, CHECK_BATCHES)).map((entry) => ({
    sequence: entry.sequence,
    body: readBatch(entry),
  }));
  const found = await store.findEntries(batches.flatMap(({ body }) => body?.entries.map(([id]) => id) ?? []));
  const deleted = countDeleted(await store.listDeletions(), await readPublicKeys(tx, key));
  return batches.map(({ sequence, body }) => ({
    sequence,
    faults: body ? findBatchFaults(sequence, body, (id) => found.get(id), sequence <= deleted) : [],
    entries: body?.entries.flatMap(([id]) => found.get(id)?.entry ?? []) ?? [],
  }));
}

/** Checks the whole chain in pieces, records its faults, and raises an alert for new ones. */
export function createAuditCheck({ chain, alerts, key, clock, log }: AuditCheckDeps) {
  async function record(tx: Tx, store: AuditChainStore, faults: readonly AuditFault[]): Promise<void> {
    if (faults.length === 0) return;
    const added = await store.selectNew(faults);
    await createCheckStore(tx).recordFaults(faults, clock.now());
    const [first] = added;
    if (!first) return;
    await alerts.create(tx, LEDGER, buildAlert(first, added));
    log.error({ faults: added.slice(0, MAX_NAMED).map(({ what }) => what) }, "audit log does not match its chain");
  }

  async function finish(store: AuditChainStore, beganAt: Date): Promise<void> {
    await store.forgetFaults(beganAt);
    const progress = await store.readProgress();
    await store.writeProgress({
      ...progress,
      backfilledAt: progress.backfilledAt ?? clock.now(),
      nextBatch: 1,
      lastEntry: undefined,
      beganAt: undefined,
      fullyCheckedAt: beganAt,
    });
  }

  async function checkBatches(tx: Tx, store: AuditChainStore, progress: Progress, from: number): Promise<void> {
    const batches = await checkBatchesFrom(tx, from, key);
    await record(
      tx,
      store,
      batches.flatMap(({ faults }) => faults),
    );
    const last = batches.at(-1);
    await store.writeProgress({ ...progress, nextBatch: last && last.sequence + 1 });
  }

  return {
    /** Checks one piece. Returns true when a pass over the batches and the audit log has ended. */
    async checkPiece(tx: Tx): Promise<boolean> {
      const store = createAuditChainStore(tx);
      const progress = await store.readProgress();
      const beganAt = progress.beganAt ?? clock.now();
      if (progress.nextBatch !== undefined) {
        await checkBatches(tx, store, { ...progress, beganAt }, progress.nextBatch);
        return false;
      }
      await store.writeProgress({ ...progress, beganAt });
      const before = await store.readLength();
      const hasMore = await chain.addUnlisted(tx);
      // The new batches name entries that no process of the platform wrote.
      const batches = await checkBatchesFrom(tx, before + 1, key);
      await record(
        tx,
        store,
        batches.flatMap(({ faults }) => faults),
      );
      if (!hasMore) await finish(store, beganAt);
      return !hasMore;
    },
  };
}

export type AuditCheck = ReturnType<typeof createAuditCheck>;

/** The title names the first entry, so that each discovery is an alert of its own. */
function buildAlert(first: AuditFault, all: readonly AuditFault[]): NewAlert {
  const named = all.slice(0, MAX_NAMED).map(({ what }) => what);
  const more = all.length > named.length ? [`and ${all.length - named.length} more`] : [];
  return {
    title: `The database was changed: ${first.what}`,
    description: `The audit log does not match the ledger.\n${[...named, ...more].join("\n")}`,
    source: "ledger",
    severity: "critical",
  };
}
