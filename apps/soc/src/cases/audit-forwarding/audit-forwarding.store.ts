import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { CHAIN_OF_AUDIT } from "../ledger/ledger.ts";

export interface Position {
  batch: number;
  sent_at: Date | null;
  failed_at: Date | null;
  failure: string | null;
  failures: number;
  retry_at: Date | null;
}

export interface PositionStatus extends Position {
  waiting: number;
  /** When the oldest batch that was not sent joined the ledger. */
  since: Date | null;
}

export function createForwardingStore(db: Db) {
  return {
    /** One process at a time sends to a receiver. The lock ends with the transaction. */
    async tryLock(receiver: string): Promise<boolean> {
      const { rows } = await sql<{ is_locked: boolean }>`
        SELECT pg_try_advisory_xact_lock(hashtextextended(${`audit forwarding ${receiver}`}, 0)) AS is_locked`.execute(
        db,
      );
      return rows[0]?.is_locked ?? false;
    },

    /** A new receiver begins with the next batch. */
    async begin(receiver: string): Promise<Position | undefined> {
      await sql`
        INSERT INTO audit_forwarding (receiver, batch)
        SELECT ${receiver}, coalesce(max(sequence), 0) FROM ledger_entries WHERE case_id = ${CHAIN_OF_AUDIT}
        ON CONFLICT DO NOTHING`.execute(db);
      const { rows } = await sql<Position>`SELECT * FROM audit_forwarding WHERE receiver = ${receiver}`.execute(db);
      return rows[0];
    },

    async recordSent(receiver: string, batch: number, at: Date, complaint: string | undefined): Promise<void> {
      const failed_at = complaint === undefined ? null : at;
      await sql`
        UPDATE audit_forwarding SET batch = ${batch}, sent_at = ${at}, failures = 0, retry_at = NULL,
          failure = coalesce(${complaint ?? null}, failure), failed_at = coalesce(${failed_at}, failed_at)
        WHERE receiver = ${receiver}`.execute(db);
    },

    async recordFailure(receiver: string, failure: string, at: Date, retryAt: Date): Promise<void> {
      await sql`
        UPDATE audit_forwarding SET failures = failures + 1, failure = ${failure}, failed_at = ${at},
          retry_at = ${retryAt} WHERE receiver = ${receiver}`.execute(db);
    },

    async readStatus(receiver: string): Promise<PositionStatus | undefined> {
      const { rows } = await sql<PositionStatus>`
        SELECT position.*, (SELECT at FROM ledger_entries WHERE case_id = ${CHAIN_OF_AUDIT}
            AND sequence = position.batch + 1) AS since,
          (SELECT coalesce(max(sequence), 0) FROM ledger_entries WHERE case_id = ${CHAIN_OF_AUDIT}) - batch AS waiting
        FROM audit_forwarding AS position WHERE receiver = ${receiver}`.execute(db);
      return rows[0];
    },
  };
}
