import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createSuccessionsStore } from "../ledger/successions.store.ts";
import { createAuditChainStore } from "./audit-chain.store.ts";
import type { AuditChain } from "./audit-chain.ts";
import type { AuditCheck } from "./audit-check.ts";

export interface AuditChainWorkerDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  chain: AuditChain;
  check: AuditCheck;
  key: LedgerKey;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const ROUND_MS = 5000;
const CHECK_EVERY_ROUNDS = 12;
/** The transactions of one round: at most 20,000 entries, so that the chain never takes a database for itself. */
const MAX_TURNS = 20;
const BACKFILL_TURNS = 5;
const MIN_PIECES = 8;
const PIECE_BATCHES = 40;
// 600 minutes, so that a pass over the batches and the audit log ends within a day although some minutes are missed.
const PASS_MINUTES = 600;

/** Adds audit entries to the ledger and checks them. One process at a time does this, and any worker can. */
export function createAuditChainWorker({ db, runtime, chain, check, key, clock, log }: AuditChainWorkerDeps) {
  /** Undefined if another process holds the lock, or if this process has a former key. */
  async function inTurn<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result | undefined> {
    return db.transaction().execute(async (tx) => {
      if (!(await createAuditChainStore(tx).tryLock())) return undefined;
      return (await createSuccessionsStore(tx).isCurrent(key.key_id)) ? work(tx) : undefined;
    });
  }

  /** Older entries come first, so that the order of the chain is the order of time. */
  async function backfill(): Promise<boolean> {
    const { backfilledAt } = await createAuditChainStore(db).readProgress();
    if (backfilledAt) return true;
    for (let turn = 0; turn < BACKFILL_TURNS; turn += 1) {
      const isDone = await inTurn((tx) => check.checkPiece(tx));
      if (isDone !== false) return isDone === true;
    }
    return false;
  }

  async function checkShare(): Promise<void> {
    const length = await createAuditChainStore(db).readLength();
    const share = Math.max(MIN_PIECES, Math.ceil((2 * length) / PIECE_BATCHES / PASS_MINUTES));
    for (let piece = 0; piece < share; piece += 1) {
      if ((await inTurn((tx) => check.checkPiece(tx))) !== false) return;
    }
  }

  async function round(turn: number): Promise<void> {
    const truth = await runtime.truth();
    if (!truth.is_internal_workflows_allowed || !truth.is_database_available) return;
    if (!(await backfill())) return;
    for (let added = 0; added < MAX_TURNS; added += 1) {
      if (!(await inTurn((tx) => chain.addWaiting(tx)))) break;
    }
    if (turn % CHECK_EVERY_ROUNDS === 0) await checkShare();
  }

  return {
    round,
    loop: createPollingLoop({
      round,
      waitMs: ROUND_MS,
      failure: "adding audit entries to the ledger failed",
      clock,
      log,
    }),
  };
}
