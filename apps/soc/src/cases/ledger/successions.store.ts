import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readSuccession, type Succession } from "./succession.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    ledger_successions: { key_id: string; next_key_id: string; statement: Succession };
  }
}

/** The keys of the ledger in order. Rows without valid signatures of their keys are omitted. */
export interface SuccessionsStore {
  list(): Promise<Succession[]>;
  /** Whether this key is the signing key. True on a platform that has not stored a fingerprint of any key. */
  isCurrent(key_id: string): Promise<boolean>;
}

export function createSuccessionsStore(db: Db): SuccessionsStore {
  return {
    async list() {
      const rows = await db.selectFrom("ledger_successions").select("statement").execute();
      return rows.flatMap(({ statement }) => readSuccession(statement) ?? []);
    },

    async isCurrent(key_id) {
      const row = await db
        .selectFrom("platform_keys")
        .select("fingerprint")
        .where("name", "=", "ledger")
        .executeTakeFirst();
      return row === undefined || row.fingerprint === key_id;
    },
  };
}

/** Needs the rights of the owner of the tables. */
export function createSuccessionsWriter(tx: Db) {
  return {
    /** The next key signs after this transaction. */
    async store(succession: Succession): Promise<void> {
      const { key_id, next_key_id } = succession;
      const statement = sql<Succession>`${JSON.stringify(succession)}::jsonb`;
      await tx.insertInto("ledger_successions").values({ key_id, next_key_id, statement }).execute();
      await tx
        .insertInto("platform_keys")
        .values({ name: "ledger", fingerprint: next_key_id })
        .onConflict((known) => known.column("name").doUpdateSet({ fingerprint: next_key_id }))
        .execute();
    },
  };
}
