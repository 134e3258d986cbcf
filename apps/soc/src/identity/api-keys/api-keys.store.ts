import { type ColumnType, type Generated, sql } from "kysely";
import type { SiteName } from "../../foundation/caller/caller.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { countTotal } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { DEFAULT_LIMIT, decodeCursor, isUuid, type Page, toPage } from "../../foundation/lists/page.ts";
import type { ApiKey, NewApiKey } from "./api-key.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    api_keys: Omit<NewApiKey, "sites"> & {
      sites: ColumnType<readonly SiteName[] | null, string | null, string | null>;
      revoked: Generated<boolean>;
      created_at: Generated<Date>;
      last_used_at: Generated<Date | null>;
    };
  }
}

export interface ApiKeysStore {
  list(query: PageQuery): Promise<Page<ApiKey>>;
  findByHash(key_hash: string): Promise<ApiKey | undefined>;
  markUsed(id: string, at: Date): Promise<void>;
  /** Returns the owners and the creators of the keys with these names, including revoked keys. */
  findPeople(names: readonly string[]): Promise<string[]>;
}

const ORDER = "name";

export function createApiKeysStore(db: Db): ApiKeysStore {
  const keys = () => db.selectFrom("api_keys").selectAll();
  return {
    async list(query) {
      const after = query.cursor && String(decodeCursor(ORDER, query.cursor)[0]);
      const rows = await keys()
        .$if(after !== undefined, (page) => page.where("name", ">", after ?? ""))
        .orderBy("name")
        .offset(query.skip ?? 0)
        .limit((query.limit ?? DEFAULT_LIMIT) + 1)
        .execute();
      return toPage({
        query,
        order: ORDER,
        rows,
        total: await countTotal(db, keys()),
        positionOf: ({ name }) => [name],
      });
    },

    findByHash: (key_hash) => keys().where("key_hash", "=", key_hash).executeTakeFirst(),

    async markUsed(id, at) {
      await db.updateTable("api_keys").set({ last_used_at: at }).where("id", "=", id).execute();
    },

    async findPeople(names) {
      if (names.length === 0) return [];
      const { rows } = await sql<{ person: string }>`
        SELECT find_key_people(${[...names]}::text[]) AS person`.execute(db);
      return rows.map(({ person }) => person);
    },
  };
}

/** The writes of a transaction. */
export interface ApiKeysWriter {
  /** Undefined if the name is taken. */
  insert(key: NewApiKey): Promise<ApiKey | undefined>;
  /** The revoked key; undefined if it does not exist or was already revoked. */
  revoke(id: string): Promise<ApiKey | undefined>;
}

export function createApiKeysWriter(tx: Db): ApiKeysWriter {
  return {
    insert: (key) =>
      tx
        .insertInto("api_keys")
        // The driver would send a list as a PostgreSQL array, not as JSON.
        .values({ ...key, sites: key.sites && JSON.stringify(key.sites) })
        .onConflict((taken) => taken.column("name").doNothing())
        .returningAll()
        .executeTakeFirst(),

    async revoke(id) {
      if (!isUuid(id)) return undefined;
      return tx
        .updateTable("api_keys")
        .set({ revoked: true })
        .where("id", "=", id)
        .where("revoked", "=", false)
        .returningAll()
        .executeTakeFirst();
    },
  };
}

/** The showcase has no API keys. */
export function createShowcaseApiKeysStore(): ApiKeysStore {
  return {
    list: async (query) => toPage({ query, order: ORDER, rows: [], total: { total: 0 }, positionOf: () => [] }),
    findByHash: async () => undefined,
    markUsed: async () => undefined,
    findPeople: async () => [],
  };
}
