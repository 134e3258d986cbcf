import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { SettleChange } from "../../foundation/held-changes.ts";
import { KEPT_APPROVALS, type ReminderStage } from "./approval.ts";
import type { WaitingExecutions } from "./approvals.service.ts";
import { createApprovalsWriter } from "./approvals.store.ts";
import { createDeadlinesStore, type OverdueApproval } from "./deadlines.store.ts";

export interface DeadlinesServiceDeps {
  executions: WaitingExecutions;
  settleHeld?: SettleChange;
  audit: Recorder;
}
export type DeadlinesService = ReturnType<typeof createDeadlinesService>;

/** Keeps transactions short; the next batch continues. */
const BATCH_SIZE = 100;
const FORGET_BATCH_SIZE = 500;
const ACTOR = "approvals";
const ACTION_OF: Readonly<Record<ReminderStage, string>> = {
  first: "approval.reminded",
  second: "approval.reminded",
  escalation: "approval.escalated",
};

/**
 * Handles expiry, reminders and retention. Each event is emitted once, because it is recorded in the transaction that
 * causes it.
 */
export function createDeadlinesService({ executions, settleHeld, audit }: DeadlinesServiceDeps) {
  async function record(tx: Tx, action: string, overdue: OverdueApproval & { stage?: ReminderStage }): Promise<void> {
    const { id, ...details } = overdue;
    await audit.record(tx, { actor: ACTOR, action, subject_type: "approval", subject_id: id, details });
  }

  return {
    /** Returns the number of expired approvals; a full batch means that there may be more. */
    async expire(tx: Tx): Promise<{ count: number; isFull: boolean }> {
      const expired = await createDeadlinesStore(tx).endExpired(BATCH_SIZE);
      for (const approval of expired) {
        await record(tx, "approval.expired", approval);
        if (approval.kind === "step" && approval.execution_id !== null) {
          await executions.resume(tx, approval.execution_id, "timeout");
        }
        if (approval.kind === "action") {
          await settleHeld?.(tx, { approval_id: approval.id, isApproved: false, actor: ACTOR });
        }
      }
      return { count: expired.length, isFull: expired.length === BATCH_SIZE };
    },

    async remind(tx: Tx): Promise<{ count: number; isFull: boolean }> {
      const reminders = await createDeadlinesStore(tx).noteReminders(BATCH_SIZE);
      for (const reminder of reminders) await record(tx, ACTION_OF[reminder.stage], reminder);
      return { count: reminders.length, isFull: reminders.length === BATCH_SIZE };
    },

    /** Deletes the oldest finished approvals. */
    async forget(tx: Tx, keep = KEPT_APPROVALS): Promise<{ count: number; isFull: boolean }> {
      const count = await createApprovalsWriter(tx).deleteOver(keep, FORGET_BATCH_SIZE);
      return { count, isFull: count === FORGET_BATCH_SIZE };
    },
  };
}
