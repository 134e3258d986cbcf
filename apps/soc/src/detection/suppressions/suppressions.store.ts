import { sql } from "kysely";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { createVisibleRules } from "../rules/rules.store.ts";
import { isActive, isListed, NEWEST_FIRST, type Suppression } from "./suppression.ts";
import type { ListAllSuppressionsQuery, ListSuppressionsQuery } from "./suppressions.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    detection_suppressions: Suppression;
  }
}

/** Reads outside of change transactions. */
export interface SuppressionsStore {
  list(rule_id: string, query: ListSuppressionsQuery, now: Date): Promise<Page<Suppression>>;
  /** The suppressions of all rules that the caller may see. */
  listAll(caller: Caller, query: ListAllSuppressionsQuery, now: Date): Promise<Page<Suppression>>;
  /** The unexpired suppressions, oldest first, so that the same one is reported each time. */
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

    listAll: (caller, query, now) => {
      const visible = createVisibleRules(db, caller).select("detection_rules.id");
      let listed = db.selectFrom("detection_suppressions").selectAll().where("rule_id", "in", visible);
      if (query.active !== undefined) listed = listed.where("expires_at", query.active ? ">" : "<=", now);
      if (query.q !== undefined) {
        listed = listed.where(sql<boolean>`strpos(lower(concat_ws(E'\\n', name, reason)), lower(${query.q})) > 0`);
      }
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
export function createSuppressionsWriter(tx: Db) {
  return {
    /** The suppression, locked until the transaction ends; undefined if the caller may not see its rule. */
    async lock(caller: Caller, id: string): Promise<Suppression | undefined> {
      if (!isUuid(id)) return undefined;
      return tx
        .selectFrom("detection_suppressions")
        .selectAll()
        .where("id", "=", id)
        .where("rule_id", "in", createVisibleRules(tx, caller).select("detection_rules.id"))
        .forUpdate()
        .executeTakeFirst();
    },

    async update({ id, ...fields }: Suppression): Promise<void> {
      await tx.updateTable("detection_suppressions").set(fields).where("id", "=", id).execute();
    },

    async insert(suppression: Suppression): Promise<void> {
      await tx.insertInto("detection_suppressions").values(suppression).execute();
    },
  };
}

export function createShowcaseSuppressionsStore(suppressions: readonly Suppression[]): SuppressionsStore {
  const of = (id: string) => suppressions.filter(({ rule_id }) => rule_id === id);
  return {
    list: async (rule_id, query, now) =>
      pageInMemory(
        of(rule_id).filter((each) => isListed(each, query, now)),
        NEWEST_FIRST,
        query,
      ),
    listAll: async (_caller, query, now) =>
      pageInMemory(suppressions, NEWEST_FIRST, query, (each) => isListed(each, query, now)),
    listActive: async (rule_id, now) => of(rule_id).filter((each) => isActive(each, now)),
  };
}
