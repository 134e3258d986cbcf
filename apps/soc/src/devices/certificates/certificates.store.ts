import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { RevokedCertificate } from "./revocation-list.ts";

/** A certificate of a device or, without one, of a probe. */
export interface CertificateRow {
  serial: string;
  device_id: string | null;
  fingerprint: string;
  key_hash: string;
  issued_at: Date;
  not_after: Date;
  revoked_at: Date | null;
  /** Whether a written revocation list has it. */
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

export interface CertificatesStore {
  /** The newest certificate of each device that has one. */
  findNewest(device_ids: readonly string[]): Promise<Map<string, CertificateRow>>;
  findByFingerprint(fingerprint: string): Promise<CertificateRow | undefined>;
  /** Whether the key is in a certificate of a device, of another one than the given. */
  isKeyTaken(key_hash: string, device_id: string | undefined): Promise<boolean>;
  countValid(device_id: string, now: Date): Promise<number>;
  readList(): Promise<ListState>;
  /** Whether a revoked certificate is not yet in the list. */
  isListOutdated(now: Date): Promise<boolean>;
  hasAny(): Promise<boolean>;
}

export function createCertificatesStore(db: Db): CertificatesStore {
  const certificates = () => db.selectFrom("device_certificates").selectAll();
  return {
    async findNewest(device_ids) {
      if (device_ids.length === 0) return new Map();
      const rows = await certificates()
        .distinctOn("device_id")
        .where("device_id", "in", device_ids)
        .orderBy("device_id")
        .orderBy("issued_at", "desc")
        .execute();
      return new Map(rows.map((row) => [row.device_id ?? "", row]));
    },

    findByFingerprint: (fingerprint) => certificates().where("fingerprint", "=", fingerprint).executeTakeFirst(),

    async isKeyTaken(key_hash, device_id) {
      const found = await certificates()
        .where("key_hash", "=", key_hash)
        .$if(device_id !== undefined, (rows) =>
          rows.where((row) => row.or([row("device_id", "is", null), row("device_id", "!=", device_id ?? "")])),
        )
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    async countValid(device_id, now) {
      const { count } = await db
        .selectFrom("device_certificates")
        .select(sql<number>`count(*)::int`.as("count"))
        .where("device_id", "=", device_id)
        .where("not_after", ">", now)
        .executeTakeFirstOrThrow();
      return count;
    },

    readList: () =>
      db.selectFrom("revocation_list").select(["number", "signed_at", "next_update"]).executeTakeFirstOrThrow(),

    async isListOutdated(now) {
      const found = await certificates()
        .where("revoked_at", "is not", null)
        .where("is_listed", "=", false)
        .where("not_after", ">", now)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    async hasAny() {
      return (await certificates().limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

/** The writes of a transaction, and the reads that they need. */
export interface CertificatesWriter {
  insert(row: CertificateRow): Promise<void>;
  /** Revokes all certificates of the device that are still valid. */
  revokeAll(device_id: string, at: Date): Promise<void>;
  /** Locks the list until the transaction ends: lists are signed and written one after the other. */
  lockList(): Promise<ListState>;
  /** Marks all revoked certificates that have not expired as listed, and returns them. */
  takeRevoked(now: Date): Promise<RevokedCertificate[]>;
  updateList(state: ListState): Promise<void>;
  /** Deletes certificates that expired before the given time, but keeps the newest one of each device. */
  deleteExpired(before: Date, limit: number): Promise<number>;
}

export function createCertificatesWriter(tx: Db): CertificatesWriter {
  return {
    async insert(row) {
      await tx.insertInto("device_certificates").values(row).execute();
    },

    async revokeAll(device_id, at) {
      await tx
        .updateTable("device_certificates")
        .set({ revoked_at: at })
        .where("device_id", "=", device_id)
        .where("not_after", ">", at)
        .where("revoked_at", "is", null)
        .execute();
    },

    lockList: () =>
      tx
        .selectFrom("revocation_list")
        .select(["number", "signed_at", "next_update"])
        .forUpdate()
        .executeTakeFirstOrThrow(),

    async takeRevoked(now) {
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

    async updateList(state) {
      await tx.updateTable("revocation_list").set(state).execute();
    },

    async deleteExpired(before, limit) {
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
