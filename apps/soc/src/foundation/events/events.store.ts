import type { Generated } from "kysely";
import { sql } from "kysely";
import type { Db } from "../database/tables.ts";
import type { PlatformEvent } from "./event.ts";
import { numberEvents, readLastPlace } from "./event-places.ts";

declare module "../database/tables.ts" {
  interface Tables {
    outbox: {
      id: Generated<string>;
      /** Together with the id it identifies the event, for consumers that must recognise duplicates. */
      xid: Generated<string>;
      /** Null until the event is numbered, which happens after its transaction commits. */
      place: Generated<string | null>;
      at: Generated<Date>;
      type: string;
      actor: Generated<string | null>;
      subject_type: Generated<string | null>;
      subject_id: string;
      data: object;
    };
  }
}

export interface EventsStore {
  /** The place of the newest event. */
  last(): Promise<bigint>;
  /** The next events after a place. No event ever appears later between two events that were read. */
  read(after: bigint, limit: number): Promise<PlatformEvent[]>;
  /** Whether all events after the place still exist. */
  isKept(place: bigint): Promise<boolean>;
  /** Deletes one batch of the oldest events before this time and records the new start. Returns their number. */
  deleteSome(before: Date, limit: number): Promise<number>;
}

type OutboxRow = Omit<PlatformEvent, "place"> & { place: string };

export function createEventsStore(db: Db): EventsStore {
  return {
    last: () => readLastPlace(db),

    async read(after, limit) {
      await numberEvents(db);
      const { rows } = await sql<OutboxRow>`
        SELECT place, at, type, actor, subject_type, subject_id, data FROM outbox
        WHERE place > ${String(after)}::bigint ORDER BY place LIMIT ${limit}`.execute(db);
      return rows.map((row) => ({ ...row, place: BigInt(row.place) }));
    },

    async isKept(place) {
      const { rows } = await sql<{ is_kept: boolean }>`
        SELECT place <= ${String(place)}::bigint AS is_kept FROM outbox_swept`.execute(db);
      return rows[0]?.is_kept ?? false;
    },

    async deleteSome(before, limit) {
      await numberEvents(db, limit);
      // Deletes in stream order, which differs slightly from time order: everything up to one place and nothing after
      // it. If two processes sweep concurrently, the recorded place never moves back.
      const { numAffectedRows } = await sql`
        WITH first AS (
          SELECT place, at FROM outbox WHERE place IS NOT NULL ORDER BY place LIMIT ${limit}
        ), last AS (
          SELECT max(place) AS place FROM first WHERE at < ${before}
        ), noted AS (
          UPDATE outbox_swept AS swept SET place = last.place FROM last WHERE swept.place < last.place
        )
        DELETE FROM outbox USING last WHERE outbox.place <= last.place`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}
