import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { hasValues, pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import type { Step } from "../playbooks/playbook.ts";
import {
  type Execution,
  type ExecutionDetail,
  type ExecutionRow,
  NEWEST_FIRST,
  type StepDecision,
  type StepEffect,
  type StepRow,
} from "./execution.ts";
import type { ListExecutionsQuery } from "./executions.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    executions: ExecutionRow;
    execution_steps: StepRow;
  }
}

export interface ExecutionsStore {
  list(query: ListExecutionsQuery): Promise<Page<Execution>>;
  find(execution_id: string): Promise<ExecutionDetail | undefined>;
}

const COLUMNS = [
  "execution_id as id",
  "execution_id",
  "playbook_id",
  "playbook_name",
  "playbook_version",
  "status",
  "steps_completed",
  "steps_total",
  "simulated",
  "alert_id",
  "case_id",
  "parameters",
  "approval_id",
  "requested_by",
  "error",
  "created_at",
  "started_at",
  "finished_at",
  "updated_at",
] as const;

const FILTERS = ["status", "playbook_id", "alert_id", "case_id"] as const;

// A stored execution has started, so it no longer requires an approval.
const requiresApproval = sql<boolean>`false`.as("requires_approval");

export function createExecutionsStore(db: Db): ExecutionsStore {
  return {
    list(query) {
      let listed = db.selectFrom("executions").select([...COLUMNS, requiresApproval]);
      for (const filter of FILTERS) {
        const value = query[filter];
        if (value !== undefined) listed = listed.where(filter, "=", value);
      }
      return readPage(db, listed, NEWEST_FIRST, query);
    },

    async find(execution_id) {
      if (!isUuid(execution_id)) return undefined;
      const found = await db
        .selectFrom("executions")
        .select([...COLUMNS, requiresApproval, "steps"])
        .where("execution_id", "=", execution_id)
        .executeTakeFirst();
      if (!found) return undefined;
      const rows = await listSteps(db, execution_id);
      const findStepName = (id: string) => found.steps.find((step) => step.id === id)?.name ?? id;
      return { ...found, steps: rows.map((row) => ({ ...row, name: findStepName(row.step_id) })) };
    },
  };
}

async function listSteps(db: Db, execution_id: string): Promise<StepRow[]> {
  return db
    .selectFrom("execution_steps")
    .selectAll()
    .where("execution_id", "=", execution_id)
    .orderBy("part", "desc")
    .orderBy(sql`CASE part WHEN 'step' THEN position ELSE -position END`)
    .execute();
}

async function lockExecution(tx: Db, execution_id: string): Promise<ExecutionRow | undefined> {
  if (!isUuid(execution_id)) return undefined;
  return tx
    .selectFrom("executions")
    .selectAll()
    .where("execution_id", "=", execution_id)
    .forUpdate()
    .executeTakeFirst();
}

/** The driver would send arrays as PostgreSQL arrays. */
function toStored(execution: ExecutionRow) {
  const { steps, parameters, approved_effects } = execution;
  return {
    ...execution,
    steps: sql<Step[]>`${JSON.stringify(steps)}::jsonb`,
    parameters: sql<Record<string, unknown>>`${JSON.stringify(parameters)}::jsonb`,
    approved_effects: approved_effects && sql<StepEffect[]>`${JSON.stringify(approved_effects)}::jsonb`,
  };
}

/** The writes of a transaction and the reads that they need. */
export function createExecutionsWriter(tx: Db) {
  return {
    async find(execution_id: string): Promise<Execution | undefined> {
      if (!isUuid(execution_id)) return undefined;
      return tx
        .selectFrom("executions")
        .select([...COLUMNS, requiresApproval])
        .where("execution_id", "=", execution_id)
        .executeTakeFirst();
    },

    /** Lists steps in the order of their start: first the steps, then the compensations. */
    listSteps: (execution_id: string): Promise<StepRow[]> => listSteps(tx, execution_id),

    async insert(execution: ExecutionRow): Promise<void> {
      // Uses the database clock, because claims compare with it.
      await tx
        .insertInto("executions")
        .values({ ...toStored(execution), due_at: sql`now()` })
        .execute();
    },

    /** Stores an execution that has already ended, with its steps; no worker continues it. */
    async insertEnded(execution: ExecutionRow, steps: readonly StepRow[]): Promise<void> {
      await tx
        .insertInto("executions")
        .values({ ...toStored(execution), due_at: null })
        .execute();
      for (const step of steps) await tx.insertInto("execution_steps").values(step).execute();
    },

    /** Locks the execution until the transaction ends, so that no worker continues it. */
    lock: (execution_id: string): Promise<ExecutionRow | undefined> => lockExecution(tx, execution_id),

    /**
     * Asks the worker of the execution to stop. When no worker holds it, it ends at once, or is due at once when its steps
     * must be compensated.
     */
    async cancel(
      { execution_id, due_at }: ExecutionRow,
      { by, isCompensated, now }: { by: string; isCompensated: boolean; now: Date },
    ): Promise<void> {
      const isIdle = due_at !== null;
      const error = `cancelled by ${by}`;
      const over = { status: "cancelled", finished_at: now, due_at: null, error } as const;
      await tx
        .updateTable("executions")
        .set({
          cancelled_by: by,
          updated_at: now,
          ...(isIdle && !isCompensated && over),
          ...(isIdle && isCompensated && { due_at: sql`now()` }),
        })
        .where("execution_id", "=", execution_id)
        .execute();
      // The step's approval was withdrawn, so the next decision is about the compensation.
      await tx
        .updateTable("execution_steps")
        .set({ status: "timeout", error, finished_at: now })
        .where("execution_id", "=", execution_id)
        .where("status", "=", "waiting")
        .execute();
    },

    /** Returns the approval that the execution waits for, if any. */
    async findAwaited(execution_id: string): Promise<string | undefined> {
      if (!isUuid(execution_id)) return undefined;
      const step = await tx
        .selectFrom("execution_steps")
        .select("approval_id")
        .where("execution_id", "=", execution_id)
        .where("status", "=", "waiting")
        .where("approval_id", "is not", null)
        .executeTakeFirst();
      return step?.approval_id ?? undefined;
    },

    /** Stores the decision and makes the execution due. Returns false if it no longer waits for one. */
    async decideStep(execution_id: string, decision: StepDecision): Promise<boolean> {
      // Lock the execution first, as workers do, to avoid deadlocks.
      const execution = await lockExecution(tx, execution_id);
      if (execution?.status !== "waiting") return false;
      const { numUpdatedRows } = await tx
        .updateTable("execution_steps")
        .set({ result: sql`jsonb_build_object('approval_id', approval_id, 'decision', ${decision}::text)` })
        .where("execution_id", "=", execution_id)
        .where("status", "=", "waiting")
        .where("approval_id", "is not", null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await tx.updateTable("executions").set({ due_at: sql`now()` }).where("execution_id", "=", execution_id).execute();
      return true;
    },
  };
}

export function createShowcaseExecutionsStore(executions: readonly ExecutionDetail[]): ExecutionsStore {
  return {
    list: async (query) =>
      pageInMemory(executions, NEWEST_FIRST, query, (execution) => hasValues(execution, query, FILTERS)),

    find: async (execution_id) => executions.find((execution) => execution.execution_id === execution_id),
  };
}
