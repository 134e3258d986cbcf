import { type Generated, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { isUuid } from "../../foundation/lists/page.ts";

export interface AttestationRequestRow {
  id: string;
  device_id: string;
  /** Hexadecimal. */
  nonce: string;
  asked_by: string;
  asked_at: Date;
  deadline: Date;
  status: "open" | "answered" | "expired";
  send_at: Date;
  sends: number;
  received_at: Date | null;
  answer: string | null;
  ended_at: Date | null;
  attestation_id: string | null;
}

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    attestation_requests: Omit<AttestationRequestRow, "status" | "sends"> & {
      status: Generated<AttestationRequestRow["status"]>;
      sends: Generated<number>;
    };
  }
}

export type NewAttestationRequest = Pick<
  AttestationRequestRow,
  "id" | "device_id" | "nonce" | "asked_by" | "asked_at" | "deadline"
>;
export type EndedRequest = Pick<AttestationRequestRow, "status" | "answer" | "ended_at" | "attestation_id">;

export function createAttestationRequestsWriter(tx: Db) {
  const requests = () => tx.selectFrom("attestation_requests").selectAll();
  return {
    insert(request: NewAttestationRequest): Promise<AttestationRequestRow> {
      const sent = { send_at: request.asked_at, received_at: null, answer: null, ended_at: null, attestation_id: null };
      return tx
        .insertInto("attestation_requests")
        .values({ ...request, ...sent })
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    findOpen: (device_id: string): Promise<AttestationRequestRow | undefined> =>
      requests().where("device_id", "=", device_id).where("status", "=", "open").executeTakeFirst(),

    /** Locks and returns the request of that device. */
    lock: async (id: string, device_id: string): Promise<AttestationRequestRow | undefined> =>
      isUuid(id)
        ? requests().where("id", "=", id).where("device_id", "=", device_id).forUpdate().executeTakeFirst()
        : undefined,

    async end(id: string, ended: EndedRequest): Promise<void> {
      await tx.updateTable("attestation_requests").set(ended).where("id", "=", id).execute();
    },

    /** Claims due requests; each goes to one of several relays, which retries it later. */
    async claim(now: Date, again: Date, limit: number): Promise<AttestationRequestRow[]> {
      const { rows } = await sql<AttestationRequestRow>`
        UPDATE attestation_requests SET sends = sends + 1, send_at = ${again} WHERE id IN (
          SELECT id FROM attestation_requests
          WHERE status = 'open' AND received_at IS NULL AND send_at <= ${now} AND deadline > ${now}
          ORDER BY send_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) RETURNING *`.execute(tx);
      return rows;
    },

    /** Returns false if the request is not open. */
    async receive(id: string, device_id: string, at: Date): Promise<boolean> {
      if (!isUuid(id)) return false;
      const { numUpdatedRows } = await tx
        .updateTable("attestation_requests")
        .set((row) => ({ received_at: row.fn.coalesce("received_at", sql<Date>`${at}::timestamptz`) }))
        .where("id", "=", id)
        .where("device_id", "=", device_id)
        .where("status", "=", "open")
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Counts requests that have never been sent. */
    async countUnsent(now: Date): Promise<number> {
      const { count } = await tx
        .selectFrom("attestation_requests")
        .select((row) => row.fn.countAll<string>().as("count"))
        .where("status", "=", "open")
        .where("received_at", "is", null)
        .where("sends", "=", 0)
        .where("deadline", ">", now)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Makes open requests with an older receipt due again. */
    async forgetReceipts(before: Date, limit: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        UPDATE attestation_requests SET received_at = NULL WHERE id IN (
          SELECT id FROM attestation_requests
          WHERE status = 'open' AND received_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED
        )`.execute(tx);
      return Number(numAffectedRows);
    },

    listOverdue: (now: Date, limit: number): Promise<Pick<AttestationRequestRow, "id" | "device_id">[]> =>
      tx
        .selectFrom("attestation_requests")
        .select(["id", "device_id"])
        .where("status", "=", "open")
        .where("deadline", "<", now)
        .orderBy("deadline")
        .limit(limit)
        .execute(),

    async deleteEnded(before: Date, limit: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM attestation_requests WHERE id IN (
          SELECT id FROM attestation_requests WHERE ended_at < ${before} LIMIT ${limit}
        )`.execute(tx);
      return Number(numAffectedRows);
    },
  };
}
