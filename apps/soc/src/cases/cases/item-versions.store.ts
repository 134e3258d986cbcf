import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { Order } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import type { ItemVersion } from "./case.ts";
import type { HistoryQuery } from "./case-items.schema.ts";

export interface ItemVersionsStore {
  /** Newest change first. */
  list(case_id: string, query: HistoryQuery): Promise<Page<ItemVersion>>;
  insert(case_id: string, version: Omit<ItemVersion, "id">): Promise<void>;
}

export const NEWEST_CHANGE_FIRST: Order<ItemVersion> = {
  name: "history",
  direction: "desc",
  columns: [{ name: "id", kind: "number" }],
};

export function createItemVersionsStore(db: Db): ItemVersionsStore {
  return {
    list(case_id, query) {
      const { item_type, item_id } = query;
      const ofType = item_type === undefined ? sql`` : sql`AND item_type = ${item_type}`;
      const ofItem = item_id === undefined ? sql`` : sql`AND item_id = ${isUuid(item_id) ? item_id : null}`;
      const selected = sql<ItemVersion>`
        SELECT id::int, item_type, item_id, change, item, changed_by, changed_at FROM case_item_versions
        WHERE case_id = ${case_id} ${ofType} ${ofItem}`;
      return readPage(db, selected, NEWEST_CHANGE_FIRST, query);
    },

    async insert(case_id, { item_type, item_id, change, item, changed_by, changed_at }) {
      await sql`INSERT INTO case_item_versions (case_id, item_type, item_id, change, item, changed_by, changed_at)
        VALUES (${case_id}, ${item_type}, ${item_id}, ${change}, ${JSON.stringify(item)}::jsonb, ${changed_by},
          ${changed_at})`.execute(db);
    },
  };
}
