import type { Generated } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { DEFAULT_LIMIT, decodeCursor, type Page, toPage } from "../../foundation/lists/page.ts";
import { countTotal } from "../../foundation/lists/total.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { Site } from "./site.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    sites: Site & { created_at: Generated<Date> };
  }
}

export interface SitesStore {
  list(query: PageQuery): Promise<Page<Site>>;
  all(): Promise<Site[]>;
}

export const ORDER = "name";

export function nameAfter({ cursor }: PageQuery): string | undefined {
  if (cursor === undefined) return undefined;
  const name = String(decodeCursor(ORDER, cursor)[0]);
  requireStorable({ cursor: name });
  return name;
}

export function createSitesStore(db: Db): SitesStore {
  const sites = () => db.selectFrom("sites").select(["id", "name", "profile"]);
  return {
    async list(query) {
      const after = nameAfter(query);
      const rows = await sites()
        .$if(after !== undefined, (page) => page.where("name", ">", after ?? ""))
        .orderBy("name")
        .offset(query.skip ?? 0)
        .limit((query.limit ?? DEFAULT_LIMIT) + 1)
        .execute();
      return toPage({
        query,
        order: ORDER,
        rows,
        total: await countTotal(db, sites()),
        positionOf: ({ name }) => [name],
      });
    },

    all: () => sites().orderBy("name").execute(),
  };
}

/** Returns false when the name is taken. */
export async function insertSite(tx: Db, { id, name, profile }: Site): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("sites")
    .values({ id, name, profile })
    .onConflict((taken) => taken.column("name").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findSite(tx: Db, id: string): Promise<Site | undefined> {
  if (!isUuid(id)) return undefined;
  return tx.selectFrom("sites").select(["id", "name", "profile"]).where("id", "=", id).executeTakeFirst();
}

/** Returns false when another transaction deleted the site first. */
export async function deleteSite(tx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom("sites").where("id", "=", id).executeTakeFirst();
  return numDeletedRows === 1n;
}
