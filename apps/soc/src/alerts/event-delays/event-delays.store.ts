import { type Kysely, sql } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";

export interface EventDelayReports {
  /** Returns the id of the alert. */
  raise(tx: Tx): Promise<string>;
  close(tx: Tx, alert_id: string): Promise<void>;
}

export interface EventDelaysStore {
  /**
   * Raises the alert when a delay begins and closes it when the delay ends. If several processes do so, only the first
   * one acts.
   */
  mark(isDelayed: boolean, reports: EventDelayReports): Promise<void>;
}

export function createEventDelaysStore(db: Kysely<Tables>): EventDelaysStore {
  async function read(from: Kysely<Tables>, isLocked: boolean): Promise<string | null> {
    const { rows } = await sql<{ alert_id: string | null }>`
      SELECT alert_id FROM event_delays ${isLocked ? sql`FOR UPDATE` : sql``}`.execute(from);
    return rows[0]?.alert_id ?? null;
  }

  return {
    async mark(isDelayed, reports) {
      if (((await read(db, false)) !== null) === isDelayed) return;
      await db.transaction().execute(async (tx) => {
        const alert_id = await read(tx, true);
        if ((alert_id !== null) === isDelayed) return;
        if (alert_id !== null) await reports.close(tx, alert_id);
        const raised = isDelayed ? await reports.raise(tx) : null;
        await sql`UPDATE event_delays SET alert_id = ${raised}`.execute(tx);
      });
    },
  };
}
