import { sql } from "kysely";
import type { Db } from "../../../foundation/database/tables.ts";
import { isLive } from "./live-writer.ts";

/** The watermark of each writer: windows of ingest time are complete below the lowest one. */
export interface WritersStore {
  publish(writer: string, watermark: Date, hasSession?: boolean): Promise<void>;
  /**
   * The time below which windows may already be complete, so a new writer must not store below it. Read it after the
   * new writer has published for the first time: from then on, windows wait for it.
   */
  floor(writer: string): Promise<Date | undefined>;
  /** The writer stores nothing more, so it no longer holds back the lowest watermark. Its own watermark is kept. */
  retire(writer: string): Promise<void>;
  /** The lowest watermark of the live writers that reported within this time; undefined if none did. */
  lowest(withinSeconds: number): Promise<Date | undefined>;
  /** Deletes ended writers of earlier days. */
  sweep(): Promise<void>;
}

/** The lease of a writer: without a report for this long, it has ended. Longer than any insert takes. */
export const WRITER_LEASE_SECONDS = 90;

export function createWritersStore(db: Db): WritersStore {
  return {
    async publish(writer, watermark, hasSession = false) {
      await sql`
        INSERT INTO log_writers AS known (writer, watermark, seen_at, has_session)
        VALUES (${writer}, ${watermark}, now(), ${hasSession})
        ON CONFLICT (writer) DO UPDATE
        SET watermark = greatest(known.watermark, excluded.watermark), seen_at = now(),
          has_session = known.has_session OR excluded.has_session`.execute(db);
    },

    async floor(writer) {
      const { rows } = await sql<{ floor: Date | null }>`
        SELECT coalesce(min(watermark) FILTER (WHERE ${isLive(WRITER_LEASE_SECONDS)}), max(watermark)) AS floor
        FROM log_writers WHERE writer <> ${writer}`.execute(db);
      return rows[0]?.floor ?? undefined;
    },

    async retire(writer) {
      await sql`UPDATE log_writers SET seen_at = '-infinity' WHERE writer = ${writer}`.execute(db);
    },

    async lowest(withinSeconds) {
      const { rows } = await sql<{ watermark: Date | null }>`
        SELECT min(watermark) AS watermark FROM log_writers WHERE ${isLive(withinSeconds)}`.execute(db);
      return rows[0]?.watermark ?? undefined;
    },

    async sweep() {
      await sql`
        DELETE FROM log_writers
        WHERE seen_at < now() - interval '1 day' AND watermark < now() - interval '1 day'`.execute(db);
    },
  };
}
