import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { RevokedCertificate } from "./revocation-list.ts";

/** A certificate of a device or, without a device id, of a probe. */
export interface CertificateRow {
  serial: string;
  device_id: string | null;
  fingerprint: string;
  key_hash: string;
  issued_at: Date;
  not_after: Date;
  revoked_at: Date | null;
  /** Whether a written revocation list contains it. */
  is_listed: boolean;
}

export interface ListState {
  number: number;
  signed_at: Date | null;
  next_update: Date | null;
}

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    device_certificates: CertificateRow;
    revocation_list: ListState;
  }
}

export function createCertificatesStore(db: Db) {
  const certificates = () => db.selectFrom("device_certificates").selectAll();
  return {
    /** Returns the newest certificate of each device that has one. */
    async findNewest(device_ids: readonly string[]): Promise<Map<string, CertificateRow>> {
      if (device_ids.length === 0) return new Map();
      const rows = await certificates()
        .distinctOn("device_id")
        .where("device_id", "in", device_ids)
        .orderBy("device_id")
        .orderBy("issued_at", "desc")
        .execute();
      return new Map(rows.map((row) => [row.device_id ?? "", row]));
    },

    findByFingerprint: (fingerprint: string): Promise<CertificateRow | undefined> =>
      certificates().where("fingerprint", "=", fingerprint).executeTakeFirst(),

    /** Reports whether a certificate of another device contains the key. */
    async isKeyTaken(key_hash: string, device_id: string | undefined): Promise<boolean> {
      const found = await certificates()
        .where("key_hash", "=", key_hash)
        .$if(device_id !== undefined, (rows) =>
          rows.where((row) => row.or([row("device_id", "is", null), row("device_id", "!=", device_id ?? "")])),
        )
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    async countValid(device_id: string, now: Date): Promise<number> {
      const { count } = await db
        .selectFrom("device_certificates")
        .select(sql<number>`count(*)::int`.as("count"))
        .where("device_id", "=", device_id)
        .where("not_after", ">", now)
        .executeTakeFirstOrThrow();
      return count;
    },

    readList: (): Promise<ListState> =>
      db.selectFrom("revocation_list").select(["number", "signed_at", "next_update"]).executeTakeFirstOrThrow(),

    /** Reports whether a revoked certificate is missing from the list. */
    async isListOutdated(now: Date): Promise<boolean> {
      const found = await certificates()
        .where("revoked_at", "is not", null)
        .where("is_listed", "=", false)
        .where("not_after", ">", now)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    async hasAny(): Promise<boolean> {
      return (await certificates().limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

/** The writes of a transaction and the reads that they need. */
export function createCertificatesWriter(tx: Db) {
  return {
    async insert(row: CertificateRow): Promise<void> {
      await tx.insertInto("device_certificates").values(row).execute();
    },

    /** Revokes all certificates of the device that are still valid. */
    async revokeAll(device_id: string, at: Date): Promise<void> {
      await tx
        .updateTable("device_certificates")
        .set({ revoked_at: at })
        .where("device_id", "=", device_id)
        .where("not_after", ">", at)
        .where("revoked_at", "is", null)
        .execute();
    },

    /** Locks the list until the transaction ends, so that lists are signed and written sequentially. */
    lockList: (): Promise<ListState> =>
      tx
        .selectFrom("revocation_list")
        .select(["number", "signed_at", "next_update"])
        .forUpdate()
        .executeTakeFirstOrThrow(),

    /** Marks all revoked, unexpired certificates as listed and returns them. */
    async takeRevoked(now: Date): Promise<RevokedCertificate[]> {
      await tx
        .updateTable("device_certificates")
        .set({ is_listed: true })
        .where("revoked_at", "is not", null)
        .where("is_listed", "=", false)
        .where("not_after", ">", now)
        .execute();
      const rows = await tx
        .selectFrom("device_certificates")
        .select(["serial", "revoked_at"])
        .where("revoked_at", "is not", null)
        .where("is_listed", "=", true)
        .where("not_after", ">", now)
        .orderBy("serial")
        .execute();
      return rows.flatMap(({ serial, revoked_at }) => (revoked_at ? [{ serial, revoked_at }] : []));
    },

    async updateList(state: ListState): Promise<void> {
      await tx.updateTable("revocation_list").set(state).execute();
    },

    /** Deletes certificates that expired before the given time, except the newest one of each device. */
    async deleteExpired(before: Date, limit: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM device_certificates WHERE serial IN (
          SELECT serial FROM device_certificates AS old
          WHERE not_after < ${before} AND (device_id IS NULL OR EXISTS (
            SELECT FROM device_certificates AS newer
            WHERE newer.device_id = old.device_id AND newer.issued_at > old.issued_at
          ))
          LIMIT ${limit}
        )`.execute(tx);
      return Number(numAffectedRows);
    },
  };
}
