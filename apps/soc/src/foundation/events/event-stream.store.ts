import { sql } from "kysely";
import type { Db } from "../database/tables.ts";

export interface Cursor {
  /** The consumer has handled all events up to this position. */
  handled: string;
  /** The end of the batch in delivery; equal to `handled` if there is none. */
  claimed: string;
}

/**
 * The cursor of one consumer, on the connection that holds the consumer's advisory lock. A lost connection ends the
 * right to write.
 */
export type CursorStore = ReturnType<typeof createCursorStore>;

export function createCursorStore(held: Db, stream: string, consumer: string) {
  const lock = sql`hashtextextended(${JSON.stringify(["stream", stream, consumer])}, 0)`;
  const isOurs = sql`stream = ${stream} AND consumer = ${consumer}`;
  return {
    /** Returns false if another process holds the lock. */
    async tryLock(): Promise<boolean> {
      const { rows } = await sql<{ is_locked: boolean }>`SELECT pg_try_advisory_lock(${lock}) AS is_locked`.execute(
        held,
      );
      return rows[0]?.is_locked ?? false;
    },

    async unlock(): Promise<void> {
      await sql`SELECT pg_advisory_unlock(${lock})`.execute(held);
    },

    async find(): Promise<Cursor | undefined> {
      const { rows } = await sql<Cursor>`SELECT handled, claimed FROM stream_cursors WHERE ${isOurs}`.execute(held);
      return rows[0];
    },

    async create(place: string): Promise<Cursor> {
      await sql`
        INSERT INTO stream_cursors (stream, consumer, handled, claimed)
        VALUES (${stream}, ${consumer}, ${place}, ${place})`.execute(held);
      return { handled: place, claimed: place };
    },

    /** Records the batch before its delivery. Returns the number of this delivery attempt. */
    async claim(place: string): Promise<number> {
      const { rows } = await sql<{ attempts: number }>`
        UPDATE stream_cursors SET claimed = ${place}, changed_at = now(),
          attempts = CASE WHEN claimed = ${place} THEN attempts + 1 ELSE 1 END
        WHERE ${isOurs} RETURNING attempts`.execute(held);
      return rows[0]?.attempts ?? 1;
    },

    async acknowledge(place: string): Promise<void> {
      await sql`
        UPDATE stream_cursors SET handled = ${place}, claimed = ${place}, attempts = 0, changed_at = now()
        WHERE ${isOurs}`.execute(held);
    },
  };
}
