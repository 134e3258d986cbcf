import type { Db } from "../../foundation/database/tables.ts";
import type { SigningKey } from "./signing-key.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    signing_keys: SigningKey;
  }
}

export interface SigningKeysStore {
  list(): Promise<SigningKey[]>;
  /** Stores the key unless its period already has one; deletes keys older than the previous period. */
  rotate(key: SigningKey): Promise<void>;
}

export function createSigningKeysStore(db: Db): SigningKeysStore {
  return {
    list: () => db.selectFrom("signing_keys").selectAll().execute(),

    async rotate(key) {
      await db
        .insertInto("signing_keys")
        .values(key)
        .onConflict((taken) => taken.column("period").doNothing())
        .execute();
      await db
        .deleteFrom("signing_keys")
        .where("period", "<", key.period - 1)
        .execute();
    },
  };
}

/** The signing keys of the showcase: in memory, lost when the process ends. */
export function createShowcaseSigningKeysStore(): SigningKeysStore {
  let keys: SigningKey[] = [];
  return {
    list: async () => keys,
    async rotate(key) {
      if (keys.some(({ period }) => period === key.period)) return;
      keys = [...keys.filter(({ period }) => period >= key.period - 1), key];
    },
  };
}
