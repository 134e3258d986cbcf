import { sql } from "kysely";
import type { Db } from "../adapters/postgres.ts";
import type { PlatformEvent, Position } from "./event.ts";

export interface EventsStore {
  /** The place after all that has happened: every transaction before it has ended. */
  horizon(): Promise<Position>;
  /** The next events after a place and before the horizon. Nothing ever appears later between two that were read. */
  read(after: Position, limit: number): Promise<PlatformEvent[]>;
  /** Whether the place is not older than everything that is kept. */
  isKept(position: Position): Promise<boolean>;
  /** Deletes some of the oldest events if they are from before that time. Answers how many. */
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

export function createEventsStore(db: Db): EventsStore {
  const placeOf = ({ xid, id }: Position) => sql`(${String(xid)}::xid8, ${String(id)}::bigint)`;
  return {
    async horizon() {
      const { rows } = await sql<{ xid: string }>`SELECT pg_snapshot_xmin(pg_current_snapshot()) AS xid`.execute(db);
      // Rows count from 1: before the first row of the first transaction that may still be running.
      return { xid: BigInt(rows[0]?.xid ?? 0), id: 0n };
    },

    async read(after, limit) {
      const { rows } = await sql<OutboxRow>`
        SELECT xid, id, at, type, subject_id, data FROM outbox
        WHERE xid < pg_snapshot_xmin(pg_current_snapshot()) AND (xid, id) > ${placeOf(after)}
        ORDER BY xid, id LIMIT ${limit}`.execute(db);
      return rows.map((row) => ({ ...row, xid: BigInt(row.xid), id: BigInt(row.id) }));
    },

    async isKept(position) {
      const { rows } = await sql<{ is_kept: boolean }>`
        SELECT (xid, id) <= ${placeOf(position)} AS is_kept FROM outbox ORDER BY xid, id LIMIT 1`.execute(db);
      return rows[0]?.is_kept ?? false;
    },

    async deleteSome(before, limit) {
      // Looks at the oldest only: without an index on the time, and cheap when there is nothing to do.
      const { numAffectedRows } = await sql`
        DELETE FROM outbox WHERE id IN
          (SELECT id FROM (SELECT id, at FROM outbox ORDER BY id LIMIT ${limit}) AS oldest WHERE at < ${before})`.execute(
        db,
      );
      return Number(numAffectedRows ?? 0);
    },
  };
}
