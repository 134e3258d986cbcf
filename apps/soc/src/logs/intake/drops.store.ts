import { type Kysely, sql } from "kysely";
import type { Tables } from "../../foundation/database/tables.ts";
import type { DropsBody } from "./drops.schema.ts";

export interface DropCount {
  sender: string;
  dropped: number;
  at: Date;
}

export type DropsStore = ReturnType<typeof createDropsStore>;

const MAX_SENDERS = 10_000;

export function createDropsStore(db: Kysely<Tables>) {
  return {
    async add(counts: readonly DropCount[]): Promise<void> {
      const ordered = counts.toSorted((a, b) => (a.sender < b.sender ? -1 : 1));
      const column = <Name extends keyof DropCount>(name: Name) => ordered.map((each) => each[name]);
      await sql`
        INSERT INTO syslog_drops AS known (sender, dropped, first_dropped_at, last_dropped_at)
        SELECT sender, dropped, at, at
        FROM unnest(${column("sender")}::text[], ${column("dropped")}::bigint[], ${column("at")}::timestamptz[])
          AS given (sender, dropped, at)
        WHERE EXISTS (SELECT FROM syslog_drops AS old WHERE old.sender = given.sender)
          OR (SELECT count(*) FROM syslog_drops) < ${MAX_SENDERS}
        ON CONFLICT (sender) DO UPDATE SET
          dropped = known.dropped + excluded.dropped,
          last_dropped_at = greatest(known.last_dropped_at, excluded.last_dropped_at)`.execute(db);
    },

    /** Sorted by sender. */
    async all(): Promise<DropsBody[]> {
      const { rows } = await sql<DropsBody>`
        SELECT sender, dropped::float8 AS dropped, first_dropped_at, last_dropped_at
        FROM syslog_drops ORDER BY sender COLLATE "C"`.execute(db);
      return rows;
    },

    /** Deletes senders whose last drop is older than this; returns their number. */
    async sweep(olderThanSeconds: number): Promise<number> {
      const { numAffectedRows } = await sql`
        DELETE FROM syslog_drops
        WHERE last_dropped_at < now() - make_interval(secs => ${olderThanSeconds})`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}
