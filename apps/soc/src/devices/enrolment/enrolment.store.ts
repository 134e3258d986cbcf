import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";

export interface EnrolmentCodeRow {
  /** The SHA-256 digest of the code; 128 random bits need no salt. */
  code_hash: string;
  /** The known device that gets a new certificate; null for a new device. */
  device_id: string | null;
  name: string;
  type: string;
  site: string | null;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    enrolment_codes: EnrolmentCodeRow;
  }
}

export type EnrolmentWriter = ReturnType<typeof createEnrolmentWriter>;

export function createEnrolmentWriter(tx: Db) {
  const open = (code_hash: string, now: Date) =>
    tx
      .selectFrom("enrolment_codes")
      .select("code_hash")
      .where("code_hash", "=", code_hash)
      .where("used_at", "is", null)
      .where("expires_at", ">", now);
  return {
    async insert(row: EnrolmentCodeRow): Promise<void> {
      await tx.insertInto("enrolment_codes").values(row).execute();
    },

    async countOpen(now: Date): Promise<number> {
      const { count } = await tx
        .selectFrom("enrolment_codes")
        .select(sql<number>`count(*)::int`.as("count"))
        .where("expires_at", ">", now)
        .where("used_at", "is", null)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Reports whether the code can be used; `use` decides. */
    async isOpen(code_hash: string, now: Date): Promise<boolean> {
      return (await open(code_hash, now).executeTakeFirst()) !== undefined;
    },

    /**
     * Consumes the code. Of concurrent calls one gets the row, and the others get undefined at once, because waiting
     * would hold a connection.
     */
    use: (code_hash: string, now: Date): Promise<EnrolmentCodeRow | undefined> =>
      tx
        .updateTable("enrolment_codes")
        .set({ used_at: now })
        .where("code_hash", "=", open(code_hash, now).forUpdate().skipLocked())
        .returningAll()
        .executeTakeFirst(),

    async deleteExpired(before: Date, limit: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM enrolment_codes WHERE code_hash IN (
          SELECT code_hash FROM enrolment_codes WHERE expires_at < ${before} LIMIT ${limit}
        )`.execute(tx);
      return Number(numAffectedRows);
    },
  };
}
