import { sql } from "kysely";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import { ALL_SITES, type Scope } from "../../foundation/caller/scope.ts";
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
  list(scope: Scope, query: ListAttestationsQuery): Promise<Page<AttestationBody>>;
}

export function createAttestationsStore(db: Db): AttestationsStore {
  return {
    list: (scope, query) => readPage(db, selectListed(db, scope, query), NEWEST_ATTESTATION_FIRST, query),
  };
}

function selectListed(db: Db, scope: Scope, { device_id, verdict, kind }: ListAttestationsQuery) {
  let listed = db.selectFrom("attestations").selectAll();
  if (scope !== ALL_SITES) {
    listed = listed.where("device_id", "in", db.selectFrom("devices").select("id").where(isInScope(scope)));
  }
  if (device_id !== undefined) listed = listed.where("device_id", "=", device_id);
  if (verdict !== undefined) listed = listed.where("verdict", "=", verdict);
  if (kind !== undefined) listed = listed.where("kind", "=", kind);
  return listed;
}

export interface AttestationsWriter {
  insert(attestation: AttestationBody): Promise<void>;
  /** Deletes a number of those that were made before; returns how many. The ledger keeps what they said. */
  deleteOld(before: Date, limit: number): Promise<number>;
}

export function createAttestationsWriter(tx: Db): AttestationsWriter {
  return {
    async insert(attestation) {
      await tx.insertInto("attestations").values(attestation).execute();
    },

    async deleteOld(before, limit) {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM attestations WHERE id IN (
          SELECT id FROM attestations WHERE at < ${before} AND NOT EXISTS (
            SELECT FROM attestation_requests WHERE attestation_id = attestations.id
          ) ORDER BY at LIMIT ${limit}
        )`.execute(tx);
      return Number(numAffectedRows);
    },
  };
}
