import type { Db } from "../database/tables.ts";
import type { PlatformKey } from "./platform-key.ts";

declare module "../database/tables.ts" {
  interface Tables {
    platform_keys: { name: string; fingerprint: string };
  }
}

export interface PlatformKeysStore {
  /** The fingerprint that the first process stored; undefined until a process has had this key. */
  find(name: PlatformKey["name"]): Promise<string | undefined>;
  /** Stores the fingerprint unless one exists, and returns the stored one. */
  keepFirst(key: Pick<PlatformKey, "name" | "fingerprint">): Promise<string | undefined>;
}

export function createPlatformKeysStore(db: Db): PlatformKeysStore {
  async function find(name: PlatformKey["name"]): Promise<string | undefined> {
    const row = await db.selectFrom("platform_keys").select("fingerprint").where("name", "=", name).executeTakeFirst();
    return row?.fingerprint;
  }
  return {
    find,
    async keepFirst({ name, fingerprint }) {
      await db
        .insertInto("platform_keys")
        .values({ name, fingerprint })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      return find(name);
    },
  };
}
