import type { Db } from "../../foundation/database/tables.ts";
import { MAX_FACTORS } from "./factor.ts";
import type { SecurityKey } from "./security-key.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    webauthn_credentials: SecurityKey & { sign_count: number };
  }
}

const COLUMNS = [
  ...(["factor_id", "username", "credential_id", "public_key", "transports"] as const),
  ...(["is_passkey", "cloned_at"] as const),
];

/** Reads, and uses of a key. A use is not a change: it happens in every mode, like a sign-in. */
export interface SecurityKeysStore {
  list(username: string): Promise<SecurityKey[]>;
  find(credential_id: string): Promise<SecurityKey | undefined>;
  /**
   * Accepts a use. Returns false if its count is not higher than the last one; 0 means that the key has no counter.
   */
  acceptCount(factor_id: string, count: number, now: Date): Promise<boolean>;
  markCloned(factor_id: string, now: Date): Promise<void>;
}

export function createSecurityKeysStore(db: Db): SecurityKeysStore {
  return {
    list: (username) =>
      db
        .selectFrom("webauthn_credentials")
        .select(COLUMNS)
        .where("username", "=", username)
        .orderBy("factor_id")
        .limit(MAX_FACTORS)
        .execute(),

    find: (credential_id) =>
      db
        .selectFrom("webauthn_credentials")
        .select(COLUMNS)
        .where("credential_id", "=", credential_id)
        .executeTakeFirst(),

    async acceptCount(factor_id, count, now) {
      const { numUpdatedRows } = await db
        .updateTable("webauthn_credentials")
        .set({ sign_count: count })
        .where("factor_id", "=", factor_id)
        .where("cloned_at", "is", null)
        .where((key) => (count === 0 ? key("sign_count", "=", 0) : key("sign_count", "<", count)))
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return false;
      await db.updateTable("user_factors").set({ last_used_at: now }).where("id", "=", factor_id).execute();
      return true;
    },

    async markCloned(factor_id, now) {
      await db
        .updateTable("webauthn_credentials")
        .set({ cloned_at: now })
        .where("factor_id", "=", factor_id)
        .where("cloned_at", "is", null)
        .execute();
    },
  };
}

export interface SecurityKeysWriter {
  /** Returns false if another factor has this key. */
  insert(key: SecurityKey, sign_count: number): Promise<boolean>;
}

export function createSecurityKeysWriter(tx: Db): SecurityKeysWriter {
  return {
    async insert(key, sign_count) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("webauthn_credentials")
        .values({ ...key, sign_count })
        .onConflict((known) => known.column("credential_id").doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
  };
}

/** The only user of the showcase has just a password. */
export const SHOWCASE_SECURITY_KEYS: SecurityKeysStore = {
  list: async () => [],
  find: async () => undefined,
  acceptCount: async () => false,
  markCloned: async () => undefined,
};
