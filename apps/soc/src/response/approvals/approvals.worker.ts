import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { DeadlinesService } from "./deadlines.service.ts";

export interface ApprovalsWorkerDeps {
  db: Kysely<Tables>;
  deadlines: DeadlinesService;
  isAllowed: () => Promise<boolean>;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

// Expiry resumes waiting executions, so it runs every second; reminders may be some seconds late.
const EXPIRE_MS = 1000;
const REMIND_TURNS = 10;
const FORGET_TURNS = 600;
/** Limits one round, even if there is more work. */
const MAX_BATCHES = 20;

/** Expires approvals, sends reminders for pending ones and deletes old ones. Several workers may run at once. */
export function createApprovalsWorker({ db, deadlines, isAllowed, clock, log }: ApprovalsWorkerDeps) {
  async function repeat(closing: AbortSignal, work: (tx: Tx) => Promise<{ isFull: boolean }>): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES && !closing.aborted; batch += 1) {
      const { isFull } = await db.transaction().execute(work);
      if (!isFull) return;
    }
  }

  async function tick(turn: number, closing: AbortSignal): Promise<void> {
    if (!(await isAllowed())) return;
    await repeat(closing, (tx) => deadlines.expire(tx));
    if (turn % REMIND_TURNS === 0) await repeat(closing, (tx) => deadlines.remind(tx));
    if (turn % FORGET_TURNS === 0) await repeat(closing, (tx) => deadlines.forget(tx));
  }

  return createPollingLoop({ round: tick, waitMs: EXPIRE_MS, failure: "approval expiry failed", clock, log });
}
