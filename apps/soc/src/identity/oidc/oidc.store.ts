import type { Db } from "../../foundation/database/tables.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    oidc_uses: { digest: string; ends_at: Date };
  }
}

export interface OidcStore {
  /** Records the first use of a response or a token until it expires. Returns false for a second use. */
  use(digest: string, ends_at: Date): Promise<boolean>;
  /** Deletes a bounded number of expired uses and returns their number. */
  deleteEnded(now: Date, limit: number): Promise<number>;
}

export function createOidcStore(db: Db): OidcStore {
  return {
    async use(digest, ends_at) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("oidc_uses")
        .values({ digest, ends_at })
        .onConflict((used) => used.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async deleteEnded(now, limit) {
      const ended = db.selectFrom("oidc_uses").select("digest").where("ends_at", "<=", now).limit(limit);
      const { numDeletedRows } = await db.deleteFrom("oidc_uses").where("digest", "in", ended).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
