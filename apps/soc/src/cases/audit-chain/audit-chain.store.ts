import { sql } from "kysely";
import type { AuditEntryBody } from "../../foundation/audit/audit.schema.ts";
import type { SealedEntries } from "../../foundation/audit/seal.ts";
import type { Db } from "../../foundation/database/tables.ts";
import type { EntryBody } from "../ledger/ledger.schema.ts";
import { CHAIN_OF_AUDIT } from "../ledger/ledger.ts";
import type { AuditFault, FoundEntry } from "./audit-batch.ts";
import type { AuditDeletion } from "./audit-deletion.ts";

/** A row of the waiting list. */
export interface WaitingEntries extends SealedEntries {
  id: string;
  key_id: string;
  seal: string;
}

interface Waiting {
  entries: number;
  since: Date | null;
}

/** The progress of the check. `nextBatch` is undefined while it reads the audit log. */
export interface Progress {
  acceptsUnsealedUntil: Date | undefined;
  backfilledAt: Date | undefined;
  nextBatch: number | undefined;
  lastEntry: { at: Date; id: string } | undefined;
  beganAt: Date | undefined;
  fullyCheckedAt: Date | undefined;
}

interface ProgressRow {
  accepts_unsealed_until: Date | null;
  backfilled_at: Date | null;
  next_batch: number | null;
  last_at: Date | null;
  last_id: string | null;
  pass_began_at: Date | null;
  fully_checked_at: Date | null;
}

type Batch = Pick<EntryBody, "sequence" | "kind" | "body">;
type ListedEntry = AuditEntryBody & { is_listed: boolean };

export type AuditChainStore = ReturnType<typeof createAuditChainStore>;

const COLUMNS = sql.raw(
  "entry.id, entry.at, entry.actor, entry.action, entry.subject_type, entry.subject_id, entry.details",
);

export function createAuditChainStore(db: Db) {
  return {
    /** Does not block: returns false if another process adds or checks entries. The lock ends with the transaction. */
    async tryLock(): Promise<boolean> {
      const { rows } = await sql<{ is_locked: boolean }>`
        SELECT pg_try_advisory_xact_lock(hashtextextended('audit chain', 0)) AS is_locked`.execute(db);
      return rows[0]?.is_locked ?? false;
    },

    /** Waits for other processes, and fails after 30 seconds. The lock ends with the transaction. */
    async lock(): Promise<void> {
      await sql`SET LOCAL lock_timeout = '30s'`.execute(db);
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('audit chain', 0))`.execute(db);
    },

    /** Returns the oldest rows of the waiting list with at most this many entries, or the first row. */
    async listWaiting(limit: number): Promise<WaitingEntries[]> {
      const { rows } = await sql<WaitingEntries>`
        SELECT id, entry_ids, hashes, key_id, seal FROM (
          SELECT *, sum(cardinality(entry_ids)) OVER (ORDER BY id) AS total, row_number() OVER (ORDER BY id) AS place
          FROM (SELECT * FROM audit_waiting ORDER BY id LIMIT ${limit}) AS oldest
        ) AS counted WHERE total <= ${limit} OR place = 1 ORDER BY id`.execute(db);
      return rows;
    },

    async removeWaiting(ids: readonly string[]): Promise<void> {
      await sql`DELETE FROM audit_waiting WHERE id = ANY(${ids}::bigint[])`.execute(db);
    },

    async readWaiting(): Promise<Waiting> {
      const { rows } = await sql<Waiting>`
        SELECT coalesce(sum(cardinality(entry_ids)), 0)::int AS entries, min(at) AS since FROM audit_waiting`.execute(
        db,
      );
      return rows[0] ?? { entries: 0, since: null };
    },

    /** Returns what the database has of these entries. */
    async findEntries(ids: readonly string[]): Promise<Map<string, FoundEntry>> {
      const { rows } = await sql<{ wanted: string; batch: number | null } & (AuditEntryBody | { id: null })>`
        SELECT wanted.id AS wanted, position.batch, ${COLUMNS} FROM unnest(${ids}::uuid[]) AS wanted (id)
        LEFT JOIN audit_log AS entry USING (id) LEFT JOIN audit_positions AS position ON position.entry_id = wanted.id`.execute(
        db,
      );
      return new Map(
        rows.map(({ wanted, batch, ...entry }) => [
          wanted,
          { entry: entry.id === null ? undefined : entry, batch: batch ?? undefined },
        ]),
      );
    },

    async insertPositions(batch: number, ids: readonly string[]): Promise<void> {
      await sql`INSERT INTO audit_positions (entry_id, batch) SELECT id, ${batch} FROM unnest(${ids}::uuid[]) AS added (id)`.execute(
        db,
      );
    },

    /** Returns entries of the audit log after the last one, and whether the chain or the waiting list has each. */
    async listEntries(last: Progress["lastEntry"], limit: number): Promise<ListedEntry[]> {
      const after = last ? sql`WHERE (at, id) > (${last.at}, ${last.id}::uuid)` : sql``;
      const { rows } = await sql<ListedEntry>`
        SELECT ${COLUMNS}, position.entry_id IS NOT NULL
          OR entry.id IN (SELECT unnest(entry_ids) FROM audit_waiting) AS is_listed
        FROM (SELECT * FROM audit_log ${after} ORDER BY at, id LIMIT ${limit}) AS entry
        LEFT JOIN audit_positions AS position ON position.entry_id = entry.id
        ORDER BY entry.at, entry.id`.execute(db);
      return rows;
    },

    async listBatches(from: number, limit: number): Promise<Batch[]> {
      return db
        .selectFrom("ledger_entries")
        .select(["sequence", "kind", "body"])
        .where("case_id", "=", CHAIN_OF_AUDIT)
        .where("sequence", ">=", from)
        .orderBy("sequence")
        .limit(limit)
        .execute();
    },

    /** Returns the number of the last batch; 0 before the first one. */
    async readLength(): Promise<number> {
      const { rows } = await sql<{ length: number }>`
        SELECT coalesce(max(sequence), 0) AS length FROM ledger_entries WHERE case_id = ${CHAIN_OF_AUDIT}`.execute(db);
      return rows[0]?.length ?? 0;
    },

    async readProgress(): Promise<Progress> {
      const { rows } = await sql<ProgressRow>`SELECT * FROM audit_chain`.execute(db);
      const [row] = rows;
      const [at, id] = [row?.last_at ?? null, row?.last_id ?? null];
      return {
        acceptsUnsealedUntil: row?.accepts_unsealed_until ?? undefined,
        backfilledAt: row?.backfilled_at ?? undefined,
        nextBatch: row?.next_batch ?? undefined,
        lastEntry: at === null || id === null ? undefined : { at, id },
        beganAt: row?.pass_began_at ?? undefined,
        fullyCheckedAt: row?.fully_checked_at ?? undefined,
      };
    },

    async writeProgress(progress: Progress): Promise<void> {
      const { acceptsUnsealedUntil, backfilledAt, nextBatch, lastEntry, beganAt, fullyCheckedAt } = progress;
      await sql`
        UPDATE audit_chain SET accepts_unsealed_until = ${acceptsUnsealedUntil ?? null},
          backfilled_at = ${backfilledAt ?? null}, next_batch = ${nextBatch ?? null}, last_at = ${lastEntry?.at ?? null},
          last_id = ${lastEntry?.id ?? null}, pass_began_at = ${beganAt ?? null},
          fully_checked_at = ${fullyCheckedAt ?? null}`.execute(db);
    },

    /** Returns the faults that are not recorded yet. */
    async selectNew(faults: readonly AuditFault[]): Promise<AuditFault[]> {
      const { rows } = await sql<{ subject: string }>`
        SELECT subject FROM ledger_faults WHERE subject = ANY(${faults.map(({ subject }) => subject)}::text[])`.execute(
        db,
      );
      const known = new Set(rows.map(({ subject }) => subject));
      return faults.filter(({ subject }) => !known.has(subject));
    },

    /** Returns the faults that no operator has accepted. */
    async selectUnaccepted(faults: readonly AuditFault[]): Promise<AuditFault[]> {
      const { rows } = await sql<AuditFault>`
        SELECT subject, what FROM ledger_faults
        WHERE is_accepted AND subject = ANY(${faults.map(({ subject }) => subject)}::text[])`.execute(db);
      const accepted = new Map(rows.map(({ subject, what }) => [subject, what]));
      return faults.filter(({ subject, what }) => accepted.get(subject) !== what);
    },

    /** Deletes the faults that a whole pass did not find again. */
    async forgetFaults(beganAt: Date): Promise<void> {
      await sql`
        DELETE FROM ledger_faults WHERE subject LIKE 'audit entry %' AND NOT is_accepted
          AND last_found_at < ${beganAt}`.execute(db);
    },

    async listFaults(limit: number): Promise<string[]> {
      const { rows } = await sql<{ what: string }>`
        SELECT what FROM ledger_faults WHERE subject LIKE 'audit entry %' AND NOT is_accepted
        ORDER BY found_at, subject LIMIT ${limit}`.execute(db);
      return rows.map(({ what }) => what);
    },

    async listDeletions(): Promise<unknown[]> {
      const { rows } = await sql<{
        statement: unknown;
      }>`SELECT statement FROM audit_deletions ORDER BY batches`.execute(db);
      return rows.map(({ statement }) => statement);
    },

    /** Needs the rights of the owner of the tables. */
    async insertDeletion(statement: AuditDeletion): Promise<void> {
      await sql`
        INSERT INTO audit_deletions (batches, statement)
        VALUES (${statement.batches}, ${JSON.stringify(statement)}::jsonb)`.execute(db);
    },

    /** Needs the rights of the owner of the tables. */
    async deleteEntries(ids: readonly string[]): Promise<void> {
      await sql`DELETE FROM audit_log WHERE id = ANY(${ids}::uuid[])`.execute(db);
    },
  };
}
