import type { Ids } from "@kit/clock/ids";
import { type Generated, type RawBuilder, sql } from "kysely";
import type { Db } from "../database/tables.ts";
import type { AuditEntryBody } from "./audit.schema.ts";
import type { Change } from "./audit.ts";
import { formatSealed, hashWritten, type SealedEntries, type Sealer, type WrittenEntry } from "./seal.ts";

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
  /** Stores entries of the past, without events. */
  store(tx: Db, entries: readonly AuditEntryBody[]): Promise<void>;
}

/** Without a sealer, the chain treats the entries as those of another program. */
export function createAuditStore(ids: Pick<Ids, "next">, sealer?: Sealer): AuditStore {
  /** The entries wait for the chain in the same statement. */
  function seal(entries: readonly (Change & { id: string })[]): RawBuilder<unknown> {
    if (!sealer) return sql``;
    const sealed: SealedEntries = {
      entry_ids: entries.map(({ id }) => id),
      hashes: entries.map((entry) => hashWritten(toWritten(entry))),
    };
    return sql`, waiting AS (
      INSERT INTO audit_waiting (entry_ids, hashes, key_id, seal)
      VALUES (${sealed.entry_ids}::uuid[], ${sealed.hashes}::text[], ${sealer.key_id}, ${sealer.sign(formatSealed(sealed))})
    )`;
  }

  return {
    async record(tx, { actor, action, subject_type, subject_id, details }) {
      const id = ids.next();
      const data = JSON.stringify(details);
      // A single statement writes all rows, so every change costs one round trip.
      await sql`
        WITH entry AS (
          INSERT INTO audit_log (id, actor, action, subject_type, subject_id, details)
          VALUES (${id}, ${actor}, ${action}, ${subject_type}, ${subject_id}, ${data}::jsonb)
        )${seal([{ id, actor, action, subject_type, subject_id, details }])}
        INSERT INTO outbox (type, actor, subject_type, subject_id, data)
        VALUES (${action}, ${actor}, ${subject_type}, ${subject_id}, ${data}::jsonb)`.execute(tx);
    },

    async recordAll(tx, changes) {
      if (changes.length === 0) return;
      const entries = changes.map((change) => ({ id: ids.next(), ...change }));
      const given = JSON.stringify(entries);
      await sql`
        WITH given AS MATERIALIZED (
          SELECT id, actor, action, subject_type, subject_id, details, place
          FROM ROWS FROM (jsonb_to_recordset(${given}::jsonb)
            AS (id uuid, actor text, action text, subject_type text, subject_id text, details jsonb))
            WITH ORDINALITY AS row (id, actor, action, subject_type, subject_id, details, place)
        ), entry AS (
          INSERT INTO audit_log (id, actor, action, subject_type, subject_id, details)
          SELECT id, actor, action, subject_type, subject_id, details FROM given
        )${seal(entries)}
        INSERT INTO outbox (type, actor, subject_type, subject_id, data)
        SELECT action, actor, subject_type, subject_id, details FROM given ORDER BY place`.execute(tx);
    },

    async store(tx, entries) {
      if (entries.length === 0) return;
      const rows = entries.map(
        (entry) => sql`(${entry.id}::uuid, ${entry.at}::timestamptz, ${entry.actor},
        ${entry.action}, ${entry.subject_type}, ${entry.subject_id}, ${JSON.stringify(entry.details)}::jsonb)`,
      );
      await sql`
        WITH given (id, at, actor, action, subject_type, subject_id, details) AS (VALUES ${sql.join(rows)})
        ${seal(entries)}
        INSERT INTO audit_log (id, at, actor, action, subject_type, subject_id, details) SELECT * FROM given`.execute(
        tx,
      );
    },
  };
}

function toWritten<Entry extends Change & { id: string }>(entry: Entry): WrittenEntry {
  const details: unknown = JSON.parse(JSON.stringify(entry.details));
  return { ...entry, details };
}
