import { sql } from "kysely";
import type { Db } from "../../../foundation/database/tables.ts";

/** The watermark of each writer: windows of ingest time are complete below the lowest one. */
export interface WritersStore {
  publish(writer: string, watermark: Date): Promise<void>;
  /** The last watermark that was published under this name. */
  find(writer: string): Promise<Date | undefined>;
  /** The writer stores nothing more, so it no longer holds back the lowest watermark. Its own watermark is kept. */
  retire(writer: string): Promise<void>;
  /** The lowest watermark of the writers that reported within that time; undefined when none did. */
  lowest(withinSeconds: number): Promise<Date | undefined>;
}

export function createWritersStore(db: Db): WritersStore {
  return {
    async publish(writer, watermark) {
      await sql`
        INSERT INTO log_writers AS known (writer, watermark, seen_at) VALUES (${writer}, ${watermark}, now())
        ON CONFLICT (writer) DO UPDATE
        SET watermark = greatest(known.watermark, excluded.watermark), seen_at = now()`.execute(db);
    },

    async find(writer) {
      const { rows } = await sql<{ watermark: Date }>`
        SELECT watermark FROM log_writers WHERE writer = ${writer}`.execute(db);
      return rows[0]?.watermark;
    },

    async retire(writer) {
      await sql`UPDATE log_writers SET seen_at = '-infinity' WHERE writer = ${writer}`.execute(db);
    },

    async lowest(withinSeconds) {
      const { rows } = await sql<{ watermark: Date | null }>`
        SELECT min(watermark) AS watermark FROM log_writers
        WHERE seen_at > now() - make_interval(secs => ${withinSeconds})`.execute(db);
      return rows[0]?.watermark ?? undefined;
    },
  };
}
