import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { newestFirst } from "../../foundation/lists/order.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { AttestationBody, ListAttestationsQuery } from "./devices.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    attestations: AttestationBody;
  }
}

export const NEWEST_ATTESTATION_FIRST = newestFirst("at");

export interface AttestationsStore {
  list(query: ListAttestationsQuery): Promise<Page<AttestationBody>>;
}

export function createAttestationsStore(db: Db): AttestationsStore {
  return {
    list: (query) => readPage(db, selectListed(db, query), NEWEST_ATTESTATION_FIRST, query),
  };
}

function selectListed(db: Db, { device_id, verdict, kind }: ListAttestationsQuery) {
  let listed = db.selectFrom("attestations").selectAll();
  if (device_id !== undefined) listed = listed.where("device_id", "=", device_id);
  if (verdict !== undefined) listed = listed.where("verdict", "=", verdict);
  if (kind !== undefined) listed = listed.where("kind", "=", kind);
  return listed;
}

export interface AttestationsWriter {
  insert(attestation: AttestationBody): Promise<void>;
}

export function createAttestationsWriter(tx: Db): AttestationsWriter {
  return {
    async insert(attestation) {
      await tx.insertInto("attestations").values(attestation).execute();
    },
  };
}
