import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { isUuid } from "../../foundation/lists/page.ts";
import { type Factor, MAX_FACTORS } from "./factor.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    user_factors: Factor;
    recovery_codes: { username: string; digest: string };
  }
}

/** Reads, and uses of a factor. A use is not a change: it happens in every mode, like a sign-in. */
export interface FactorsStore {
  /** The confirmed factors, oldest first. */
  list(username: string): Promise<Factor[]>;
  countRecoveryCodes(username: string): Promise<number>;
  /** Accepts the code of a step. Returns false if this step or a later one was already accepted. */
  acceptStep(id: string, step: number, now: Date): Promise<boolean>;
  /** Accepts a recovery code. Returns false if there is no such code. */
  acceptRecoveryCode(username: string, digest: string): Promise<boolean>;
}

export function createFactorsStore(db: Db): FactorsStore {
  return {
    list: (username) =>
      db
        .selectFrom("user_factors")
        .selectAll()
        .where("username", "=", username)
        .where("confirmed_at", "is not", null)
        .orderBy("created_at")
        .orderBy("id")
        .limit(MAX_FACTORS)
        .execute(),

    async countRecoveryCodes(username) {
      const { count } = await db
        .selectFrom("recovery_codes")
        .select((codes) => codes.fn.countAll<string>().as("count"))
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async acceptStep(id, step, now) {
      const { numUpdatedRows } = await db
        .updateTable("user_factors")
        .set({ last_step: step, last_used_at: now })
        .where("id", "=", id)
        .where("confirmed_at", "is not", null)
        .where((factor) => factor.or([factor("last_step", "is", null), factor("last_step", "<", step)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async acceptRecoveryCode(username, digest) {
      const { numDeletedRows } = await db
        .deleteFrom("recovery_codes")
        .where("username", "=", username)
        .where("digest", "=", digest)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
}

/** The writes of a transaction, and the reads that they need. */
export function createFactorsWriter(tx: Db) {
  async function deleteRecoveryCodes(username: string): Promise<void> {
    await tx.deleteFrom("recovery_codes").where("username", "=", username).execute();
  }

  return {
    /** The confirmed factors. Until the transaction ends, no other transaction changes the factors of this user. */
    async lockAndList(username: string): Promise<Factor[]> {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`factors of ${username}`}, 0))`.execute(tx);
      return createFactorsStore(tx).list(username);
    },

    async insert(factor: Factor): Promise<void> {
      await tx.insertInto("user_factors").values(factor).execute();
    },

    async findUnconfirmed(username: string, id: string, since: Date): Promise<Factor | undefined> {
      if (!isUuid(id)) return undefined;
      return tx
        .selectFrom("user_factors")
        .selectAll()
        .where("id", "=", id)
        .where("username", "=", username)
        .where("confirmed_at", "is", null)
        .where("created_at", ">", since)
        .executeTakeFirst();
    },

    async confirm(id: string, step: number | null, now: Date): Promise<void> {
      const confirmed = { confirmed_at: now, last_used_at: now, last_step: step };
      await tx.updateTable("user_factors").set(confirmed).where("id", "=", id).execute();
    },

    async rename(id: string, name: string): Promise<void> {
      await tx.updateTable("user_factors").set({ name }).where("id", "=", id).execute();
    },

    async delete(username: string, id: string): Promise<boolean> {
      if (!isUuid(id)) return false;
      const { numDeletedRows } = await tx
        .deleteFrom("user_factors")
        .where("id", "=", id)
        .where("username", "=", username)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    /** Deletes unconfirmed factors. */
    async deleteUnconfirmed(username: string): Promise<void> {
      await tx.deleteFrom("user_factors").where("username", "=", username).where("confirmed_at", "is", null).execute();
    },

    /** Deletes every factor and every recovery code of a user. Returns the number of factors. */
    async deleteAll(username: string): Promise<number> {
      await deleteRecoveryCodes(username);
      const { numDeletedRows } = await tx
        .deleteFrom("user_factors")
        .where("username", "=", username)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    async replaceRecoveryCodes(username: string, digests: readonly string[]): Promise<void> {
      await deleteRecoveryCodes(username);
      if (digests.length === 0) return;
      await tx
        .insertInto("recovery_codes")
        .values(digests.map((digest) => ({ username, digest })))
        .execute();
    },
  };
}

/** The only user of the showcase has just a password. */
export const SHOWCASE_FACTORS: FactorsStore = {
  list: async () => [],
  countRecoveryCodes: async () => 0,
  acceptStep: async () => false,
  acceptRecoveryCode: async () => false,
};
