import { sql } from "kysely";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import { isInScope } from "../../foundation/caller/in-scope.ts";
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

export type AttestationsStore = ReturnType<typeof createAttestationsStore>;

export function createAttestationsStore(db: Db) {
  return {
    list: (scope: Scope, query: ListAttestationsQuery): Promise<Page<AttestationBody>> =>
      readPage(db, selectListed(db, scope, query), NEWEST_ATTESTATION_FIRST, query),
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

export function createAttestationsWriter(tx: Db) {
  return {
    async insert(attestation: AttestationBody): Promise<void> {
      await tx.insertInto("attestations").values(attestation).execute();
    },

    /**
     * Deletes a limited number of attestations made before this time and returns the number. The ledger keeps their
     * content.
     */
    async deleteOld(before: Date, limit: number): Promise<number> {
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
