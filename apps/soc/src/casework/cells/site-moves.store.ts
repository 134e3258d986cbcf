import { type Generated, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { SiteMove } from "./cell.ts";

/** The places in the streams of logs, by partition. */
export type StreamEnds = Readonly<Record<string, string>>;

export interface KnownMove extends SiteMove {
  frozen_at: Date;
  stream_ends: StreamEnds | null;
}

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    site_moves: Omit<KnownMove, "frozen_at"> & { frozen_at: Generated<Date>; moved_at: Date | null };
  }
}

export interface SiteMovesWriter {
  find(siteId: string): Promise<KnownMove | undefined>;
  /** Waits for the changes in progress; later ones see the freeze. Nothing happens when the site is in here already. */
  freeze(move: Pick<SiteMove, "site_id" | "site_name" | "to_cell">): Promise<void>;
  /** Keeps the ends of the streams, once. */
  keepEnds(siteId: string, ends: StreamEnds): Promise<void>;
  end(siteId: string, at: Date): Promise<void>;
  delete(siteId: string): Promise<void>;
}

export function createSiteMovesWriter(db: Db): SiteMovesWriter {
  return {
    find: (siteId) =>
      db
        .selectFrom("site_moves")
        .select(["site_id", "site_name", "to_cell", "state", "frozen_at", "stream_ends"])
        .where("site_id", "=", siteId)
        .executeTakeFirst(),

    async freeze(move) {
      // The triggers of 0104 share this lock.
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('site_moves', 0))`.execute(db);
      await db
        .insertInto("site_moves")
        .values({ ...move, state: "frozen", stream_ends: null, moved_at: null })
        .onConflict((known) => known.column("site_id").doNothing())
        .execute();
    },

    async keepEnds(siteId, ends) {
      await db
        .updateTable("site_moves")
        .set({ stream_ends: sql`${JSON.stringify(ends)}::jsonb` })
        .where("site_id", "=", siteId)
        .where("stream_ends", "is", null)
        .execute();
    },

    async end(siteId, at) {
      await db
        .updateTable("site_moves")
        .set({ state: "moved", moved_at: at })
        .where("site_id", "=", siteId)
        .where("state", "=", "frozen")
        .execute();
    },

    async delete(siteId) {
      await db.deleteFrom("site_moves").where("site_id", "=", siteId).where("state", "=", "frozen").execute();
    },
  };
}
