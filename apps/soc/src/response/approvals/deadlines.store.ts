import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { Approval, ReminderStage } from "./approval.ts";
import { IS_OPEN } from "./approvals.store.ts";

/** Undecided, or a timed-out request whose expiry must still be recorded. */
const IS_UNDECIDED = sql<boolean>`(status = 'pending' OR (status = 'timeout' AND wait_ended_at IS NOT NULL))`;

/** The fields of events about a deadline. */
export type OverdueApproval = Pick<
  Approval,
  "id" | "kind" | "action" | "playbook_id" | "case_id" | "requested_by" | "expires_at" | "execution_id"
>;

export interface Reminder extends OverdueApproval {
  stage: ReminderStage;
}

export interface DeadlinesStore {
  /** Ends one batch of expired approvals, oldest expiry first. SKIP LOCKED gives concurrent workers different rows. */
  endExpired(limit: number): Promise<OverdueApproval[]>;
  /**
   * Records one batch of due reminders and returns those that this call inserted. A first reminder that was missed until
   * the second is due is skipped.
   */
  noteReminders(limit: number): Promise<Reminder[]>;
}

export function createDeadlinesStore(db: Db): DeadlinesStore {
  return {
    async endExpired(limit) {
      const { rows } = await sql<OverdueApproval>`
        UPDATE approvals SET status = 'timeout', wait_ended_at = NULL WHERE id IN (
          SELECT id FROM approvals WHERE ${IS_UNDECIDED} AND expires_at <= clock_timestamp()
          ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) AND ${IS_UNDECIDED}
        RETURNING id, kind, action, playbook_id, case_id, requested_by, expires_at, execution_id`.execute(db);
      return rows;
    },

    async noteReminders(limit) {
      const { rows } = await sql<Reminder>`
        WITH due AS (
          SELECT id, stage FROM approvals
          CROSS JOIN (VALUES ('first', 0.25, 0.75), ('second', 0.75, 1), ('escalation', 0.75, 1)) AS stages (stage, since, until)
          WHERE ${IS_OPEN}
            AND clock_timestamp() >= requested_at + (expires_at - requested_at) * since
            AND clock_timestamp() < requested_at + (expires_at - requested_at) * until
            AND NOT EXISTS (
              SELECT FROM approval_reminders AS noted WHERE noted.approval_id = approvals.id AND noted.stage = stages.stage
            )
          ORDER BY requested_at, id, stage LIMIT ${limit}
        ), noted AS (
          INSERT INTO approval_reminders (approval_id, stage, at) SELECT id, stage, clock_timestamp() FROM due
          ON CONFLICT DO NOTHING RETURNING approval_id, stage
        )
        SELECT id, kind, action, playbook_id, case_id, requested_by, expires_at, execution_id, stage
        FROM noted JOIN approvals ON id = approval_id ORDER BY requested_at, id, stage`.execute(db);
      return rows;
    },
  };
}
