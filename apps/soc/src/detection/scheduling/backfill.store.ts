import { type Kysely, sql } from "kysely";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import type { Window } from "../rules/schedule.ts";
import { createScheduleWriter, type WindowEnd } from "./schedule.store.ts";

export interface Backfill extends Window {
  id: string;
  rule_id: string;
  seconds: number;
  attempts: number;
}

/** Windows to evaluate later. */
export type BackfillStore = ReturnType<typeof createBackfillStore>;

const LEASE_SECONDS = 300;
const MAX_ERROR_CHARACTERS = 500;

interface BackfillRow {
  id: string;
  rule_id: string;
  window_from: Date;
  window_to: Date;
  seconds: number;
  attempts: number;
}

export function createBackfillStore(db: Kysely<Tables>) {
  return {
    /**
     * Claims due backfills. Each claim counts as another attempt and is a lease: the backfill is due again when it
     * expires.
     */
    async claimDue(maxCount: number): Promise<Backfill[]> {
      const { rows } = await sql<BackfillRow>`
        UPDATE detection_backfills SET attempts = attempts + 1,
          next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
        WHERE id IN (SELECT id FROM detection_backfills WHERE next_attempt_at <= now()
          ORDER BY next_attempt_at, id LIMIT ${maxCount} FOR UPDATE SKIP LOCKED)
        RETURNING id, rule_id, window_from, window_to, seconds, attempts`.execute(db);
      return rows.map(toBackfill);
    },

    async find(id: string): Promise<Backfill | undefined> {
      const { rows } = await sql<BackfillRow>`
        SELECT id, rule_id, window_from, window_to, seconds, attempts FROM detection_backfills
        WHERE id = ${id}`.execute(db);
      return rows.map(toBackfill)[0];
    },

    /** Accounts for the backfill and deletes it. Returns false if it was already finished. */
    finish: (backfill: Backfill, end: WindowEnd["end"], alongside: (tx: Db) => Promise<void>): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        const { numAffectedRows = 0n } = await sql`
          DELETE FROM detection_backfills WHERE id = ${backfill.id}`.execute(tx);
        if (numAffectedRows === 0n) return false;
        await alongside(tx);
        // Time that already counts as streamed has no seconds.
        if (backfill.seconds > 0) {
          await createScheduleWriter(tx).account([{ rule_id: backfill.rule_id, end }], backfill);
        }
        return true;
      }),

    /** Records the failure and schedules the next attempt after this time. */
    async postpone({ id, attempts }: Backfill, seconds: number, error: string): Promise<void> {
      await sql`
        UPDATE detection_backfills SET error = ${error.slice(0, MAX_ERROR_CHARACTERS)},
          next_attempt_at = now() + make_interval(secs => ${seconds})
        WHERE id = ${id} AND attempts = ${attempts}`.execute(db);
    },
  };
}

function toBackfill({ window_from, window_to, ...row }: BackfillRow): Backfill {
  return { ...row, from: window_from, to: window_to };
}
