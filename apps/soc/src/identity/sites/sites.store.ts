import { type Generated, type SqlBool, sql } from "kysely";
import type { Scope, SiteName } from "../../foundation/caller/caller.ts";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { countTotal } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { DEFAULT_LIMIT, isUuid, type Page, toPage } from "../../foundation/lists/page.ts";
import { nameAfter, ORDER, type Site } from "./site.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    sites: Site & { created_at: Generated<Date> };
  }
}

export interface SitesStore {
  list(scope: Scope, query: PageQuery): Promise<Page<Site>>;
  all(scope: Scope): Promise<Site[]>;
  /** For the platform itself: the sites with these ids or names. */
  findNames(texts: readonly string[]): Promise<SiteName[]>;
  /** Whether an alert or an endpoint has this text as its site. */
  isRecorded(text: string): Promise<boolean>;
}

export function createSitesStore(db: Db): SitesStore {
  const sites = (scope: Scope) =>
    db.selectFrom("sites").select(["id", "name", "profile"]).where(isInScope(scope, "id"));
  return {
    async list(scope, query) {
      const after = nameAfter(query);
      const rows = await sites(scope)
        .$if(after !== undefined, (page) => page.where("name", ">", after ?? ""))
        .orderBy("name")
        .offset(query.skip ?? 0)
        .limit((query.limit ?? DEFAULT_LIMIT) + 1)
        .execute();
      return toPage({
        query,
        order: ORDER,
        rows,
        total: await countTotal(db, sites(scope)),
        positionOf: ({ name }) => [name],
      });
    },

    all: (scope) => sites(scope).orderBy("name").execute(),

    findNames: (texts) =>
      db
        .selectFrom("sites")
        .select(["id", "name"])
        .where(sql<SqlBool>`id::text = ANY(${[...texts]}::text[]) OR name = ANY(${[...texts]}::text[])`)
        .orderBy("name")
        .execute(),

    async isRecorded(text) {
      const { rows } = await sql<{ found: boolean }>`
        SELECT EXISTS (SELECT FROM alerts WHERE site = ${text})
            OR EXISTS (SELECT FROM edr_endpoints WHERE site = ${text}) AS found`.execute(db);
      return rows[0]?.found === true;
    },
  };
}

/** The writes of a transaction, and the reads that they need. */
export interface SitesWriter {
  /** Returns false if the name is taken. */
  insert(site: Site): Promise<boolean>;
  /** The site, locked against deletion until the transaction ends. */
  keep(id: string): Promise<Site | undefined>;
  /** The site, locked until the transaction ends. Waits for transactions that `keep` it. */
  lock(id: string): Promise<Site | undefined>;
  delete(id: string): Promise<void>;
}

export function createSitesWriter(tx: Db): SitesWriter {
  const byId = (id: string) => tx.selectFrom("sites").select(["id", "name", "profile"]).where("id", "=", id);
  return {
    async insert({ id, name, profile }) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("sites")
        .values({ id, name, profile })
        .onConflict((taken) => taken.column("name").doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    keep: async (id) => (isUuid(id) ? byId(id).forKeyShare().executeTakeFirst() : undefined),
    lock: async (id) => (isUuid(id) ? byId(id).forUpdate().executeTakeFirst() : undefined),

    async delete(id) {
      await tx.deleteFrom("sites").where("id", "=", id).execute();
    },
  };
}

export function createShowcaseSitesStore(sites: readonly Site[]): SitesStore {
  const sorted = sites.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    async list(_scope, query) {
      const after = nameAfter(query);
      const skip = query.skip ?? 0;
      const rows = sorted
        .filter(({ name }) => after === undefined || name > after)
        .slice(skip, skip + (query.limit ?? DEFAULT_LIMIT) + 1);
      return toPage({ query, order: ORDER, rows, total: { total: sorted.length }, positionOf: ({ name }) => [name] });
    },

    all: async () => sorted,

    findNames: async (texts) =>
      sorted.filter(({ id, name }) => texts.includes(id) || texts.includes(name)).map(({ id, name }) => ({ id, name })),

    // Its records name its sites.
    isRecorded: async () => false,
  };
}
