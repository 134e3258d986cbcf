import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { type Factor, MAX_FACTORS } from "./factor.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    user_factors: Factor;
    recovery_codes: { username: string; digest: string };
  }
}

/** Reads, and the uses of a factor, which are no changes: they happen in every mode, like sign-ins. */
export interface FactorsStore {
  /** Those that are confirmed, the oldest first. */
  list(username: string): Promise<Factor[]>;
  countRecoveryCodes(username: string): Promise<number>;
  /** Accepts the code of a step. Returns false when that step or a later one was accepted before. */
  acceptStep(id: string, step: number, now: Date): Promise<boolean>;
  /** Accepts a recovery code. Returns false when there is none. */
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
export interface FactorsWriter {
  /** The factors that are confirmed. Until the transaction ends, no other one changes the factors of this user. */
  lockAndList(username: string): Promise<Factor[]>;
  insert(factor: Factor): Promise<void>;
  findUnconfirmed(username: string, id: string, since: Date): Promise<Factor | undefined>;
  confirm(id: string, step: number | null, now: Date): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  delete(username: string, id: string): Promise<boolean>;
  /** Deletes those that were never confirmed. */
  deleteUnconfirmed(username: string): Promise<void>;
  /** Deletes every factor and every recovery code of a user. Returns how many factors. */
  deleteAll(username: string): Promise<number>;
  replaceRecoveryCodes(username: string, digests: readonly string[]): Promise<void>;
}

export function createFactorsWriter(tx: Db): FactorsWriter {
  async function deleteRecoveryCodes(username: string): Promise<void> {
    await tx.deleteFrom("recovery_codes").where("username", "=", username).execute();
  }

  return {
    async lockAndList(username) {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`factors of ${username}`}, 0))`.execute(tx);
      return createFactorsStore(tx).list(username);
    },

    async insert(factor) {
      await tx.insertInto("user_factors").values(factor).execute();
    },

    async findUnconfirmed(username, id, since) {
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

    async confirm(id, step, now) {
      const confirmed = { confirmed_at: now, last_used_at: now, last_step: step };
      await tx.updateTable("user_factors").set(confirmed).where("id", "=", id).execute();
    },

    async rename(id, name) {
      await tx.updateTable("user_factors").set({ name }).where("id", "=", id).execute();
    },

    async delete(username, id) {
      if (!isUuid(id)) return false;
      const { numDeletedRows } = await tx
        .deleteFrom("user_factors")
        .where("id", "=", id)
        .where("username", "=", username)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async deleteUnconfirmed(username) {
      await tx.deleteFrom("user_factors").where("username", "=", username).where("confirmed_at", "is", null).execute();
    },

    async deleteAll(username) {
      await deleteRecoveryCodes(username);
      const { numDeletedRows } = await tx
        .deleteFrom("user_factors")
        .where("username", "=", username)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    async replaceRecoveryCodes(username, digests) {
      await deleteRecoveryCodes(username);
      if (digests.length === 0) return;
      await tx
        .insertInto("recovery_codes")
        .values(digests.map((digest) => ({ username, digest })))
        .execute();
    },
  };
}
