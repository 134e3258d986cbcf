import { sql } from "kysely";
import type { Db } from "../database/tables.ts";

export interface Cursor {
  /** The consumer has handled everything up to this position. */
  handled: string;
  /** The end of the batch being delivered; equal to `handled` when there is none. */
  claimed: string;
}

/**
 * The cursor of one consumer, on the connection that holds the consumer's advisory lock: losing the connection ends the
 * right to write.
 */
export interface CursorStore {
  /** False when another process holds the lock. */
  tryLock(): Promise<boolean>;
  unlock(): Promise<void>;
  find(): Promise<Cursor | undefined>;
  create(place: string): Promise<Cursor>;
  /** Records the batch before it is delivered. Returns the number of this delivery attempt. */
  claim(place: string): Promise<number>;
  acknowledge(place: string): Promise<void>;
}

export function createCursorStore(held: Db, stream: string, consumer: string): CursorStore {
  const lock = sql`hashtextextended(${JSON.stringify(["stream", stream, consumer])}, 0)`;
  const isOurs = sql`stream = ${stream} AND consumer = ${consumer}`;
  return {
    async tryLock() {
      const { rows } = await sql<{ is_locked: boolean }>`SELECT pg_try_advisory_lock(${lock}) AS is_locked`.execute(
        held,
      );
      return rows[0]?.is_locked ?? false;
    },

    async unlock() {
      await sql`SELECT pg_advisory_unlock(${lock})`.execute(held);
    },

    async find() {
      const { rows } = await sql<Cursor>`SELECT handled, claimed FROM stream_cursors WHERE ${isOurs}`.execute(held);
      return rows[0];
    },

    async create(place) {
      await sql`
        INSERT INTO stream_cursors (stream, consumer, handled, claimed)
        VALUES (${stream}, ${consumer}, ${place}, ${place})`.execute(held);
      return { handled: place, claimed: place };
    },

    async claim(place) {
      const { rows } = await sql<{ attempts: number }>`
        UPDATE stream_cursors SET claimed = ${place}, changed_at = now(),
          attempts = CASE WHEN claimed = ${place} THEN attempts + 1 ELSE 1 END
        WHERE ${isOurs} RETURNING attempts`.execute(held);
      return rows[0]?.attempts ?? 1;
    },

    async acknowledge(place) {
      await sql`
        UPDATE stream_cursors SET handled = ${place}, claimed = ${place}, attempts = 0, changed_at = now()
        WHERE ${isOurs}`.execute(held);
    },
  };
}
