import type { Continuation } from "../../src/response/executions/execution-work.store.ts";
import type { InterpreterDeps } from "../../src/response/executions/interpreter.service.ts";
import type { TestPlatform } from "../harness/feature-app.ts";
import type { ResponseParts } from "../harness/response-parts.ts";

/** Simulates the end of the process: nothing after it runs. */
export class Crash extends Error {}

const MAX_TURNS = 60;

export interface DriveOptions {
  /** The decision for each step that requests approval. */
  decision?: "approved" | "rejected" | "timeout";
  onCheckpoint?: InterpreterDeps["onCheckpoint"];
}

/**
 * Runs all executions to their end, like a dispatcher with workers, but without waiting: waiting steps are decided or
 * due immediately. After a crash, the same continuation runs again.
 */
export async function driveToEnd(
  { db }: Pick<TestPlatform, "db">,
  parts: ResponseParts,
  { decision = "approved", onCheckpoint }: DriveOptions = {},
): Promise<void> {
  for (let round = 0; round < MAX_TURNS; round += 1) {
    await wakeWaiting(db, parts, decision);
    const due = await parts.work.claimDue(100);
    if (due.length === 0) return;
    for (const handed of due) await runSurviving(parts, handed, onCheckpoint);
  }
  throw new Error(`executions did not end within ${MAX_TURNS} turns`);
}

async function runSurviving(
  parts: ResponseParts,
  handed: Continuation,
  onCheckpoint: DriveOptions["onCheckpoint"],
): Promise<void> {
  try {
    await parts.interpreter(onCheckpoint).run(handed);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    await parts.interpreter(onCheckpoint).run(handed);
  }
}

async function wakeWaiting(
  db: TestPlatform["db"],
  parts: ResponseParts,
  decision: NonNullable<DriveOptions["decision"]>,
) {
  const waiting = await db.selectFrom("executions").select("execution_id").where("status", "=", "waiting").execute();
  for (const { execution_id } of waiting) {
    await db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable("executions")
        .set({ due_at: new Date(0) })
        .where("execution_id", "=", execution_id)
        .executeTakeFirst();
      if (numUpdatedRows === 1n) await parts.executions.resume(tx, execution_id, decision);
    });
  }
}
