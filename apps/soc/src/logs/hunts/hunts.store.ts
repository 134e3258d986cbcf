import { sql } from "kysely";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { type Hunt, isVisible, NEWEST_FIRST } from "./hunt.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    hunts: Hunt;
  }
}

/** Reads outside a change. Callers see only hunts that are shared with them. */
export interface HuntsStore {
  list(caller: Caller, query: PageQuery): Promise<Page<Hunt>>;
  find(caller: Caller, hunt_id: string): Promise<Hunt | undefined>;
}

const COLUMNS = [
  "id",
  "title",
  "description",
  "query",
  "source",
  "severity",
  "host",
  "sharing_mode",
  "shared_with_roles",
  "tags",
  "created_by",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Hunt)[];

export function createHuntsStore(db: Db): HuntsStore {
  return {
    list: (caller, query) => readPage(db, visibleTo(db, caller), NEWEST_FIRST, query),

    async find(caller, hunt_id) {
      if (!isUuid(hunt_id)) return undefined;
      return visibleTo(db, caller).where("id", "=", hunt_id).executeTakeFirst();
    },
  };
}

function visibleTo(db: Db, { username, role }: Caller) {
  const hunts = db.selectFrom("hunts").select(COLUMNS);
  if (role === "admin") return hunts;
  return hunts.where((hunt) =>
    hunt.or([
      hunt("created_by", "=", username),
      hunt("sharing_mode", "=", "team"),
      hunt.and([hunt("sharing_mode", "=", "roles"), sql<boolean>`shared_with_roles @> ARRAY[${role}::text]`]),
    ]),
  );
}

/** The writes of a transaction, and the reads that they need. */
export function createHuntsWriter(tx: Db) {
  return {
    async insert(hunt: Hunt): Promise<void> {
      await tx.insertInto("hunts").values(hunt).execute();
    },

    /** Locks the hunt until the transaction ends; undefined for a hunt that the caller may not see. */
    async lock(caller: Caller, hunt_id: string): Promise<Hunt | undefined> {
      if (!isUuid(hunt_id)) return undefined;
      return visibleTo(tx, caller).where("id", "=", hunt_id).forUpdate().executeTakeFirst();
    },

    async update({ id, ...fields }: Hunt): Promise<void> {
      await tx.updateTable("hunts").set(fields).where("id", "=", id).execute();
    },

    async delete(hunt_id: string): Promise<void> {
      await tx.deleteFrom("hunts").where("id", "=", hunt_id).execute();
    },
  };
}

export function createShowcaseHuntsStore(hunts: readonly Hunt[]): HuntsStore {
  return {
    list: async (caller, query) => pageInMemory(hunts, NEWEST_FIRST, query, (hunt) => isVisible(hunt, caller)),

    find: async (caller, hunt_id) => hunts.find((hunt) => hunt.id === hunt_id && isVisible(hunt, caller)),
  };
}
