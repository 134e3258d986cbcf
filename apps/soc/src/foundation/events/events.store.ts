import type { Generated } from "kysely";
import { sql } from "kysely";
import type { Db } from "../database/tables.ts";
import type { PlatformEvent, Position } from "./event.ts";

declare module "../database/tables.ts" {
  interface Tables {
    outbox: {
      id: Generated<string>;
      xid: Generated<string>;
      at: Generated<Date>;
      type: string;
      subject_id: string;
      data: object;
    };
  }
}

export interface EventsStore {
  /** The position before which every transaction has ended. */
  horizon(): Promise<Position>;
  /**
   * The next events after a position and before the horizon. No event ever appears later between two that were read.
   */
  read(after: Position, limit: number): Promise<PlatformEvent[]>;
  /** Whether all events after the position still exist. */
  isKept(position: Position): Promise<boolean>;
  /** Deletes one batch of the oldest events before that time and records how far. Returns how many. */
  deleteSome(before: Date, limit: number): Promise<number>;
}

interface OutboxRow {
  xid: string;
  id: string;
  at: Date;
  type: string;
  subject_id: string;
  data: object;
}

const HORIZON = sql`pg_snapshot_xmin(pg_current_snapshot())`;

export function createEventsStore(db: Db): EventsStore {
  const toPositionSql = ({ xid, id }: Position) => sql`(${String(xid)}::xid8, ${String(id)}::bigint)`;
  return {
    async horizon() {
      const { rows } = await sql<{ xid: string }>`SELECT ${HORIZON} AS xid`.execute(db);
      // Row ids start at 1, so id 0 is before the first row of the oldest transaction that may still run.
      return { xid: BigInt(rows[0]?.xid ?? 0), id: 0n };
    },

    async read(after, limit) {
      const { rows } = await sql<OutboxRow>`
        SELECT xid, id, at, type, subject_id, data FROM outbox
        WHERE xid < ${HORIZON} AND (xid, id) > ${toPositionSql(after)}
        ORDER BY xid, id LIMIT ${limit}`.execute(db);
      return rows.map((row) => ({ ...row, xid: BigInt(row.xid), id: BigInt(row.id) }));
    },

    async isKept(position) {
      // A sweep position beyond the horizon comes from another server: this database was restored from its backup.
      const { rows } = await sql<{ is_kept: boolean }>`
        SELECT (xid, id) <= ${toPositionSql(position)} OR xid >= ${HORIZON} AS is_kept FROM outbox_swept`.execute(db);
      return rows[0]?.is_kept ?? false;
    },

    async deleteSome(before, limit) {
      // Delete in stream order, which differs slightly from time order: everything up to one position and nothing after
      // it.
      // If two processes sweep concurrently, the recorded position never moves back.
      const { numAffectedRows } = await sql`
        WITH first AS (
          SELECT xid, id, at FROM outbox WHERE xid < ${HORIZON} ORDER BY xid, id LIMIT ${limit}
        ), last AS (
          SELECT xid, id FROM first WHERE at < ${before} ORDER BY xid DESC, id DESC LIMIT 1
        ), noted AS (
          UPDATE outbox_swept AS swept SET xid = last.xid, id = last.id FROM last
          WHERE (swept.xid, swept.id) < (last.xid, last.id) OR swept.xid >= ${HORIZON}
        )
        DELETE FROM outbox USING last WHERE (outbox.xid, outbox.id) <= (last.xid, last.id)`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}
