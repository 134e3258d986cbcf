import type { Ids } from "@kit/clock/ids";
import type { Generated } from "kysely";
import { sql } from "kysely";
import type { Db } from "../database/tables.ts";
import type { Change } from "./audit.ts";

declare module "../database/tables.ts" {
  interface Tables {
    audit_log: Change & { id: string; at: Generated<Date> };
  }
}

export interface AuditStore {
  /** Writes the audit entry and the outbox event of a change, in the transaction of the change. */
  record(tx: Db, change: Change): Promise<void>;
  /** The same for a batch of at most 1,000 changes; keeps their order. */
  recordAll(tx: Db, changes: readonly Change[]): Promise<void>;
}

export function createAuditStore(ids: Pick<Ids, "next">): AuditStore {
  return {
    async record(tx, { actor, action, subject_type, subject_id, details }) {
      const data = JSON.stringify(details);
      // A single statement writes both rows, so every change costs one round trip.
      await sql`
        WITH entry AS (
          INSERT INTO audit_log (id, actor, action, subject_type, subject_id, details)
          VALUES (${ids.next()}, ${actor}, ${action}, ${subject_type}, ${subject_id}, ${data}::jsonb)
        )
        INSERT INTO outbox (type, actor, subject_type, subject_id, data)
        VALUES (${action}, ${actor}, ${subject_type}, ${subject_id}, ${data}::jsonb)`.execute(tx);
    },

    async recordAll(tx, changes) {
      if (changes.length === 0) return;
      const given = JSON.stringify(changes.map((change) => ({ id: ids.next(), ...change })));
      await sql`
        WITH given AS MATERIALIZED (
          SELECT id, actor, action, subject_type, subject_id, details, place
          FROM ROWS FROM (jsonb_to_recordset(${given}::jsonb)
            AS (id uuid, actor text, action text, subject_type text, subject_id text, details jsonb))
            WITH ORDINALITY AS row (id, actor, action, subject_type, subject_id, details, place)
        ), entry AS (
          INSERT INTO audit_log (id, actor, action, subject_type, subject_id, details)
          SELECT id, actor, action, subject_type, subject_id, details FROM given
        )
        INSERT INTO outbox (type, actor, subject_type, subject_id, data)
        SELECT action, actor, subject_type, subject_id, details FROM given ORDER BY place`.execute(tx);
    },
  };
}
