import type { Clock } from "@kit/clock";
import type { Kysely } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import { type CheckStore, createCheckStore, type Progress } from "./check.store.ts";
import { CHECK_SIZE, findChainFaults, findTreeFaults } from "./ledger-check.ts";
import { createTreeStore } from "./tree.store.ts";

export interface LedgerCheckDeps {
  db: Kysely<Tables>;
  clock: Pick<Clock, "now">;
}

const CHAIN_BATCH_SIZE = 4096;
const MIN_PIECES = 4;
// 1,200 minutes are twenty hours, so that a pass ends within a day although some minutes are missed.
const PASS_MINUTES = 1200;

/**
 * Recomputes the whole ledger in pieces: a small ledger every minute, a large one within a day. The database stores its
 * progress and findings.
 */
export function createLedgerCheck({ db, clock }: LedgerCheckDeps) {
  async function checkTree(checks: CheckStore, progress: Progress, start: number, size: number): Promise<void> {
    if (start >= size) return checks.writeProgress({ ...progress, nextLeaf: undefined, lastLink: undefined });
    const range = { start, end: Math.min(start + CHECK_SIZE, size) };
    await checks.recordFaults(findTreeFaults(await checks.readTree(range)), clock.now());
    return checks.writeProgress({ ...progress, nextLeaf: start + CHECK_SIZE });
  }

  /** Returns true when the pass has ended. */
  async function checkChains(checks: CheckStore, progress: Progress, beganAt: Date): Promise<boolean> {
    const { before, links } = await checks.readChains(progress.lastLink, CHAIN_BATCH_SIZE);
    await checks.recordFaults(findChainFaults(before, links), clock.now());
    const last = links.at(-1);
    if (!last) await checks.finishPass(beganAt);
    else await checks.writeProgress({ ...progress, lastLink: last });
    return !last;
  }

  /** Checks one piece. Returns true when the pass has ended or another process holds the lock. */
  async function checkPiece(tx: Tx): Promise<boolean> {
    const [tree, checks] = [createTreeStore(tx), createCheckStore(tx)];
    if (!(await tree.tryLock())) return true;
    const progress = await checks.readProgress();
    const beganAt = progress.beganAt ?? clock.now();
    if (progress.nextLeaf === undefined) return checkChains(checks, progress, beganAt);
    await checkTree(checks, { ...progress, beganAt }, progress.nextLeaf, await tree.readSize());
    return false;
  }

  return {
    /** Checks the share of one minute, or until the end of the pass. */
    async checkShare(): Promise<void> {
      const size = await createTreeStore(db).readSize();
      const share = Math.max(MIN_PIECES, Math.ceil((2 * size) / CHECK_SIZE / PASS_MINUTES));
      for (let piece = 0; piece < share; piece += 1) {
        if (await db.transaction().execute(checkPiece)) return;
      }
    },
  };
}
