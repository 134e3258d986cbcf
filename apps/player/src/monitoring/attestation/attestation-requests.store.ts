import Type from "typebox";
import type { Database } from "../../storage/database.ts";
import type { AttestationRequest } from "./attestation-request.ts";

export type AttestationRequestsStore = ReturnType<typeof createAttestationRequestsStore>;
export interface KeptRequest extends AttestationRequest {
  /** The signed text; null before it is signed. */
  answer: string | null;
}

export const MAX_KEPT_REQUESTS = 20;

const Row = Type.Object({
  request_id: Type.String(),
  nonce: Type.String(),
  deadline: Type.Integer(),
  answer: Type.Union([Type.String(), Type.Null()]),
});

/** The last requests with their answers: a repeated request gets the same answer. */
export function createAttestationRequestsStore(database: Database) {
  const columns = "request_id, nonce, deadline, answer";
  const select = database.query(Row, `SELECT ${columns} FROM monitoring_requests WHERE request_id = ?`);
  const selectOpen = database.query(
    Row,
    `SELECT ${columns} FROM monitoring_requests WHERE delivered = 0 AND deadline > ? ORDER BY id`,
  );
  const insert = database.command("INSERT INTO monitoring_requests (request_id, nonce, deadline) VALUES (?, ?, ?)");
  const forgetOldest = database.command(
    "DELETE FROM monitoring_requests WHERE id <= (SELECT id FROM monitoring_requests ORDER BY id DESC LIMIT 1 OFFSET ?)",
  );
  const update = database.command("UPDATE monitoring_requests SET answer = ? WHERE request_id = ?");
  const deliver = database.command("UPDATE monitoring_requests SET delivered = 1 WHERE request_id = ?");
  return {
    find: (request_id: string): KeptRequest | undefined => select.first(request_id),
    /** Answers that are neither delivered nor expired. */
    listOpen: (nowS: number): KeptRequest[] => selectOpen.all(nowS),

    /** Durable when it returns: only then is the broker acknowledged. */
    add({ request_id, nonce, deadline }: AttestationRequest): void {
      database.inTransaction(() => {
        insert(request_id, nonce, deadline);
        forgetOldest(MAX_KEPT_REQUESTS);
      });
    },

    keepAnswer(request_id: string, answer: string): void {
      update(answer, request_id);
    },

    markDelivered(request_id: string): void {
      deliver(request_id);
    },
  };
}
