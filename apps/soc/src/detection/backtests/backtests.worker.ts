import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import type { EventStream } from "../../foundation/events/event-stream.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import { executeExcept } from "../exceptions/except-logs.ts";
import { compileExceptions } from "../exceptions/exception.ts";
import { createExceptionsStore } from "../exceptions/exceptions.store.ts";
import type { LogReader } from "../execution/log-reader.ts";
import type { VerdictCountsStore } from "../feedback/verdict-counts.store.ts";
import { RUN_LIMITS } from "../matches/finding.ts";
import { type ClaimedBacktest, collectSlice, findSlice } from "./backtest.ts";
import { createBacktestsStore, createBacktestsWriter, type SliceEnd } from "./backtests.store.ts";

export interface BacktestsWorkerDeps {
  worker: string;
  db: Kysely<Tables>;
  logs: LogReader;
  verdicts: Pick<VerdictCountsStore, "countKnown">;
  outbox: Pick<EventStream, "publish">;
  audit: Recorder;
  isAllowed: () => Promise<boolean>;
  clock: Clock;
  log: Pick<Log, "warn">;
}

const IDLE_MS = 1000;
const RENEW_MS = 1000;
/** Another worker takes over a slice whose lease was not renewed for this long. */
const LEASE_SECONDS = 10;
const MAX_SLICE_MS = 5 * 60_000;
const MAX_FAILURES = 5;
const MAX_ERROR_CHARACTERS = 500;
const JUDGED_LOGS = 1000;

/**
 * Evaluates backtests slice by slice, in turns, so that a long one does not delay a short one. A slice is stored
 * together with the position after it, so a killed worker loses at most its slice, and no slice counts twice.
 */
export function createBacktestsWorker(deps: BacktestsWorkerDeps) {
  const { worker, db, logs, verdicts, outbox, audit, isAllowed, clock, log } = deps;

  async function evaluate(backtest: ClaimedBacktest, signal: AbortSignal): Promise<SliceEnd> {
    const began = clock.monotonicMs();
    const { rule } = backtest;
    const slice = findSlice(backtest);
    const excepting = compileExceptions(await createExceptionsStore(db).listActive(rule, clock.now()));
    const execution = await executeExcept(rule, slice, logs, excepting, signal);
    const scanned = await logs.count({ kind: "all" }, slice, RUN_LIMITS.counted, signal);
    const took_ms = Math.round(clock.monotonicMs() - began);
    return { to: slice.to, ...collectSlice(execution), scanned, excepted: execution.excepted?.length ?? 0, took_ms };
  }

  /** Renews the lease while the work runs, and aborts the work if the backtest was cancelled. */
  async function holding<Result>(id: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const [stopping, over] = [new AbortController(), new AbortController()];
    const renewing = (async () => {
      while (!over.signal.aborted) {
        await clock.sleep(RENEW_MS, over.signal).catch(() => undefined);
        if (over.signal.aborted) return;
        const isHeld = await createBacktestsWriter(db)
          .renew(id, worker, LEASE_SECONDS)
          .catch(() => true);
        if (!isHeld) stopping.abort();
      }
    })();
    try {
      return await work(AbortSignal.any([stopping.signal, clock.deadline(MAX_SLICE_MS)]));
    } finally {
      over.abort();
      await renewing;
    }
  }

  async function announce(backtest: ClaimedBacktest, { to }: SliceEnd): Promise<void> {
    const { id, window_from, window_to } = backtest;
    const progress = (to.getTime() - window_from.getTime()) / (window_to.getTime() - window_from.getTime());
    await outbox
      .publish([
        {
          id: `backtest:${id}:${to.getTime()}`,
          at: clock.now().toISOString(),
          type: "backtest.progress",
          subject_id: id,
          data: { status: "running", progress },
        },
      ])
      .catch((error: unknown) =>
        log.warn({ err: error, backtest: id }, "announcing the progress of a backtest failed"),
      );
  }

  async function finish(backtest: ClaimedBacktest, status: "done" | "failed", error: string | null): Promise<void> {
    const { id, requested_by, role } = backtest;
    const log_ids = await createBacktestsWriter(db).listNewest(id, JUDGED_LOGS);
    const known = await verdicts.countKnown({ kind: "user", username: requested_by, role }, log_ids);
    await db.transaction().execute(async (tx) => {
      const writer = createBacktestsWriter(tx);
      if (!(await writer.renew(id, worker, LEASE_SECONDS))) return;
      const result = { ...(await createBacktestsStore(tx).summarise(backtest)), known };
      await writer.end(id, status, { result, error });
      await audit.record(tx, {
        actor: requested_by,
        action: "backtest.finished",
        subject_type: "backtest",
        subject_id: id,
        details: { rule_id: backtest.rule_id, status },
      });
    });
  }

  async function takeSlice(backtest: ClaimedBacktest): Promise<void> {
    const slice = await holding(backtest.id, (signal) => evaluate(backtest, signal));
    const { isMoved, isDue } = await db
      .transaction()
      .execute((tx) => createBacktestsWriter(tx).advance(backtest, worker, slice));
    if (isMoved && isDue) await announce(backtest, slice);
  }

  /** The delay before a slice is retried; the last failure ends the backtest. */
  async function settleFailure(backtest: ClaimedBacktest, error: unknown): Promise<void> {
    log.warn({ err: error, backtest: backtest.id, position: backtest.position }, "slice of a backtest failed");
    const failures = backtest.failures + 1;
    if (failures < MAX_FAILURES) {
      await createBacktestsWriter(db).postpone(backtest, worker, 2 ** failures);
      return;
    }
    const why = error instanceof Problem ? error.message.slice(0, MAX_ERROR_CHARACTERS) : "internal error";
    await finish(backtest, "failed", why);
  }

  async function round(): Promise<number> {
    if (!(await isAllowed())) return IDLE_MS;
    const backtest = await createBacktestsWriter(db).claim(worker, LEASE_SECONDS);
    if (!backtest) return IDLE_MS;
    try {
      if (backtest.position < backtest.window_to) await takeSlice(backtest);
      else await finish(backtest, "done", null);
    } catch (error) {
      await settleFailure(backtest, error);
    }
    return 0;
  }

  return createPollingLoop({ round, waitMs: IDLE_MS, failure: "backtests failed", clock, log });
}
