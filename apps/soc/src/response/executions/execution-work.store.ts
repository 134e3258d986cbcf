import { type Kysely, sql } from "kysely";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import { type EndStatus, type ExecutionRow, type StepRow, TOO_OFTEN } from "./execution.ts";

/** A claimed execution. The continuation number is a fencing token: earlier claims can no longer write. */
export interface Continuation {
  execution_id: string;
  continuation: number;
}

/** Claims, owns and deletes executions for workers. */
export interface ExecutionWork {
  /** Claims due executions; concurrent workers never claim the same one. */
  claimDue(limit: number): Promise<Continuation[]>;
  /** Lists claimed executions that no worker has taken or finished for this long. */
  listOverdue(olderThanSeconds: number, limit: number): Promise<Continuation[]>;
  /**
   * Schedules the execution for another worker with a growing delay. After too many failures it starts no further step
   * and is compensated. If nothing can be compensated, or the compensation fails as often, it ends as failed, and
   * `onGivenUp` runs in the same transaction.
   */
  handOutAgain(handed: Continuation, onGivenUp: (tx: OwnedTx, execution: ExecutionRow) => Promise<void>): Promise<void>;
  /** Makes the owner work on a continuation. Undefined if it is not the current one or the execution has ended. */
  take(handed: Continuation, owner: string): Promise<ExecutionRow | undefined>;
  /** Stores the sites in which the execution reads and acts; null for all. */
  limit(execution: Pick<ExecutionRow, "execution_id">, owner: string, sites: string[] | null): Promise<void>;
  /** Runs the work in one transaction if the owner still holds the execution; otherwise returns undefined. */
  within<Result>(
    execution_id: string,
    owner: string,
    work: (tx: OwnedTx, execution: ExecutionRow) => Promise<Result>,
  ): Promise<Result | undefined>;
  /** Deletes one batch of the oldest ended executions beyond the number to keep and returns the number. */
  forget(keep: number, limit: number): Promise<number>;
}

export type OwnedTx = Parameters<Parameters<ReturnType<Kysely<Tables>["transaction"]>["execute"]>[0]>[0];

const MAX_FAILURES = 20;

export const DUE_EXECUTIONS = sql`SELECT FROM executions WHERE due_at <= now()`;

export function createExecutionWork(db: Kysely<Tables>): ExecutionWork {
  return {
    async claimDue(limit) {
      const { rows } = await sql<Continuation>`
        UPDATE executions SET continuation = continuation + 1, due_at = NULL, handed_out_at = now(), owner = NULL
        WHERE execution_id IN (
          SELECT execution_id FROM executions WHERE due_at <= now() ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        RETURNING execution_id, continuation`.execute(db);
      return rows;
    },

    async listOverdue(olderThanSeconds, limit) {
      const { rows } = await sql<Continuation>`
        SELECT execution_id, continuation FROM executions
        WHERE finished_at IS NULL AND due_at IS NULL
          AND handed_out_at < now() - make_interval(secs => ${olderThanSeconds})
        ORDER BY handed_out_at LIMIT ${limit}`.execute(db);
      return rows;
    },

    handOutAgain: ({ execution_id, continuation }, onGivenUp) =>
      db.transaction().execute(async (tx) => {
        const mayGoOn = sql`failures < ${MAX_FAILURES}`;
        const hasCompensation = sql`NOT abandoned AND EXISTS (
          SELECT FROM execution_steps AS begun
          JOIN jsonb_array_elements(executions.steps) AS step ON step ->> 'id' = begun.step_id
          WHERE begun.execution_id = executions.execution_id AND jsonb_typeof(step -> 'compensate') = 'object')`;
        const isOpen = sql`(${mayGoOn} OR ${hasCompensation})`;
        const { rows } = await sql<ExecutionRow>`
          UPDATE executions SET owner = NULL, updated_at = now(),
            failures = CASE WHEN ${mayGoOn} THEN failures + 1 ELSE 0 END,
            abandoned = abandoned OR NOT (${mayGoOn}),
            due_at = CASE WHEN ${isOpen} THEN now() + make_interval(secs => least(60, power(2, failures))) END,
            status = CASE WHEN ${isOpen} THEN status ELSE 'failed' END,
            finished_at = CASE WHEN ${isOpen} THEN NULL ELSE now() END,
            error = CASE WHEN ${mayGoOn} THEN error ELSE ${TOO_OFTEN} END
          WHERE execution_id = ${execution_id} AND continuation = ${continuation}
            AND finished_at IS NULL AND due_at IS NULL
          RETURNING *`.execute(tx);
        const [execution] = rows;
        if (execution?.finished_at) await onGivenUp(tx, execution);
      }),

    take: ({ execution_id, continuation }, owner) =>
      db
        .updateTable("executions")
        .set({ owner, status: "running", started_at: sql`coalesce(started_at, now())`, updated_at: sql`now()` })
        .where("execution_id", "=", execution_id)
        .where("continuation", "=", continuation)
        .where("finished_at", "is", null)
        .where("due_at", "is", null)
        .returningAll()
        .executeTakeFirst(),

    async limit({ execution_id }, owner, sites) {
      if (sites === null) return;
      await db
        .updateTable("executions")
        .set({ sites })
        .where("execution_id", "=", execution_id)
        .where("owner", "=", owner)
        .execute();
    },

    within: (execution_id, owner, work) =>
      db.transaction().execute(async (tx) => {
        const execution = await tx
          .selectFrom("executions")
          .selectAll()
          .where("execution_id", "=", execution_id)
          .where("owner", "=", owner)
          .where("finished_at", "is", null)
          .forUpdate()
          .executeTakeFirst();
        return execution && work(tx, execution);
      }),

    async forget(keep, limit) {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM executions WHERE execution_id IN (
          SELECT execution_id FROM executions WHERE finished_at IS NOT NULL
          ORDER BY finished_at DESC OFFSET ${keep} LIMIT ${limit})`.execute(db);
      return Number(numAffectedRows);
    },
  };
}

/** Writes the progress of one execution, within a transaction of its owner. */
export interface ProgressWriter {
  /** Inserts or updates the row of a step. */
  writeStep(step: StepRow): Promise<void>;
  note(execution_id: string, progress: { steps_completed: number; case_id: string | null; now: Date }): Promise<void>;
  /** Releases the execution: no worker holds it until it is due. */
  park(execution_id: string, waitMs: number, now: Date): Promise<void>;
  finish(execution_id: string, end: { status: EndStatus; error: string | null; now: Date }): Promise<void>;
}

export function createProgressWriter(tx: Db): ProgressWriter {
  return {
    async writeStep(step) {
      const values = { ...step, result: step.result && sql<StepRow["result"]>`${JSON.stringify(step.result)}::jsonb` };
      const { execution_id: _, step_id: __, part: ___, iteration: ____, ...fields } = values;
      await tx
        .insertInto("execution_steps")
        .values(values)
        .onConflict((known) => known.columns(["execution_id", "step_id", "part", "iteration"]).doUpdateSet(fields))
        .execute();
    },

    async note(execution_id, progress) {
      const { steps_completed, case_id, now } = progress;
      await tx
        .updateTable("executions")
        .set({ steps_completed, case_id, failures: 0, updated_at: now })
        .where("execution_id", "=", execution_id)
        .execute();
    },

    async park(execution_id, waitMs, now) {
      await tx
        .updateTable("executions")
        .set({
          status: "waiting",
          due_at: sql`now() + make_interval(secs => ${Math.max(0, waitMs) / 1000})`,
          owner: null,
          updated_at: now,
        })
        .where("execution_id", "=", execution_id)
        .execute();
    },

    async finish(execution_id, end) {
      const { status, error, now } = end;
      await tx
        .updateTable("executions")
        .set({ status, error, finished_at: now, updated_at: now, owner: null, due_at: null })
        .where("execution_id", "=", execution_id)
        .execute();
    },
  };
}
