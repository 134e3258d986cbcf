import { type Generated, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { KnownMove, SiteMoves } from "./site-move.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    site_moves: Omit<KnownMove, "frozen_at"> & { frozen_at: Generated<Date>; moved_at: Date | null };
  }
}

export function createSiteMovesWriter(db: Db): SiteMoves {
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
