import { type ColumnType, sql } from "kysely";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { isVisible, NEWEST_FIRST, type View } from "./view.ts";
import type { ViewsQuery } from "./views.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    views: Omit<View, "state"> & { state: ColumnType<View["state"], string, string> };
  }
}

/** Reads outside a change. Callers see only their own views and those that are shared with them. */
export interface ViewsStore {
  list(caller: Caller, query: ViewsQuery): Promise<Page<View>>;
  find(caller: Caller, view_id: string): Promise<View | undefined>;
}

const COLUMNS = [
  "id",
  "page",
  "name",
  "state",
  "sharing_mode",
  "shared_with_roles",
  "created_by",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof View)[];

export function createViewsStore(db: Db): ViewsStore {
  return {
    list(caller, { page, ...query }) {
      const visible = visibleTo(db, caller);
      return readPage(db, page === undefined ? visible : visible.where("page", "=", page), NEWEST_FIRST, query);
    },

    async find(caller, view_id) {
      if (!isUuid(view_id)) return undefined;
      return visibleTo(db, caller).where("id", "=", view_id).executeTakeFirst();
    },
  };
}

function visibleTo(db: Db, { username, role, sites }: Caller) {
  const views = db.selectFrom("views").select(COLUMNS);
  // The filters of other users may name records of other sites.
  if (sites) return views.where("created_by", "=", username);
  const isNamed = sql<boolean>`shared_with_roles @> ARRAY[${role}::text]`;
  return views.where((view) =>
    view.or([
      view("created_by", "=", username),
      view("sharing_mode", "=", "team"),
      view.and([view("sharing_mode", "=", "roles"), role === "admin" ? sql<boolean>`true` : isNamed]),
    ]),
  );
}

/** The writes of a transaction, and the reads that they need. */
export function createViewsWriter(tx: Db) {
  return {
    /** The number of views of the user. Until the transaction ends, no other transaction adds a view of this user. */
    async lockAndCount(username: string): Promise<number> {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`views of ${username}`}, 0))`.execute(tx);
      const { count } = await tx
        .selectFrom("views")
        .select((views) => views.fn.countAll<string>().as("count"))
        .where("created_by", "=", username)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async insert(view: View): Promise<void> {
      await tx
        .insertInto("views")
        .values({ ...view, state: JSON.stringify(view.state) })
        .execute();
    },

    /** Locks the view until the transaction ends; undefined for a view that the caller may not see. */
    async lock(caller: Caller, view_id: string): Promise<View | undefined> {
      if (!isUuid(view_id)) return undefined;
      return visibleTo(tx, caller).where("id", "=", view_id).forUpdate().executeTakeFirst();
    },

    async update({ id, state, ...fields }: View): Promise<void> {
      await tx
        .updateTable("views")
        .set({ ...fields, state: JSON.stringify(state) })
        .where("id", "=", id)
        .execute();
    },

    async delete(view_id: string): Promise<void> {
      await tx.deleteFrom("views").where("id", "=", view_id).execute();
    },
  };
}

export function createShowcaseViewsStore(views: readonly View[]): ViewsStore {
  return {
    async list(caller, { page, ...query }) {
      const found = views.filter((view) => isVisible(view, caller) && (page === undefined || view.page === page));
      return pageInMemory(found, NEWEST_FIRST, query);
    },

    find: async (caller, view_id) => views.find((view) => view.id === view_id && isVisible(view, caller)),
  };
}
