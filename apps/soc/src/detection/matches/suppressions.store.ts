import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { NEWEST_FIRST, type Suppression } from "./suppression.ts";
import type { ListSuppressionsQuery } from "./suppressions.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    detection_suppressions: Suppression;
  }
}

/** Reads outside of change transactions. */
export interface SuppressionsStore {
  list(rule_id: string, query: ListSuppressionsQuery, now: Date): Promise<Page<Suppression>>;
  /** The suppressions that have not expired, oldest first, so that the same one is reported each time. */
  listActive(rule_id: string, now: Date): Promise<Suppression[]>;
}

/** The maximum number of active suppressions of one rule. */
export const MAX_ACTIVE = 200;

export function createSuppressionsStore(db: Db): SuppressionsStore {
  return {
    list: (rule_id, query, now) => {
      let listed = db.selectFrom("detection_suppressions").selectAll().where("rule_id", "=", rule_id);
      if (query.active !== undefined) listed = listed.where("expires_at", query.active ? ">" : "<=", now);
      return readPage(db, listed, NEWEST_FIRST, query);
    },

    async listActive(rule_id, now) {
      if (!isUuid(rule_id)) return [];
      return db
        .selectFrom("detection_suppressions")
        .selectAll()
        .where("rule_id", "=", rule_id)
        .where("expires_at", ">", now)
        .orderBy("created_at")
        .orderBy("id")
        .limit(MAX_ACTIVE)
        .execute();
    },
  };
}

/** The writes of a transaction, and the reads that they need. */
export interface SuppressionsWriter {
  insert(suppression: Suppression): Promise<void>;
}

export function createSuppressionsWriter(tx: Db): SuppressionsWriter {
  return {
    async insert(suppression) {
      await tx.insertInto("detection_suppressions").values(suppression).execute();
    },
  };
}
