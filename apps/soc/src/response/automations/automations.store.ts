import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import {
  type Automation,
  type AutomationRow,
  type Firing,
  NEWEST_AUTOMATION_FIRST,
  NEWEST_FIRING_FIRST,
} from "./automation.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    automations: AutomationRow;
    automation_firings: FiringRow;
    automation_cooldowns: { automation_id: string; site: string; last_fired_at: Date };
  }
}

/** The latest firing for an alert; a reopened alert may start the automation again. */
interface FiringRow extends Firing {
  reopened_count: number;
}

/** Reads outside a transaction. */
export interface AutomationsStore {
  list(query: PageQuery): Promise<Page<Automation>>;
  find(id: string): Promise<Automation | undefined>;
  listFirings(automation_id: string, query: PageQuery): Promise<Page<Firing>>;
}

const COLUMNS = [
  "id",
  "name",
  "condition",
  "playbook_id",
  "parameters",
  "enabled",
  "cooldown_minutes",
  "last_fired_at",
  "created_by",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof AutomationRow)[];

const FIRED_24H = sql<number>`(
  SELECT count(*)::int FROM automation_firings
  WHERE automation_id = automations.id AND at > now() - interval '24 hours'
    AND outcome IN ('started', 'pending_approval'))`;

const ROW = [...COLUMNS, "authors", "may_execute", "permissions"] as const satisfies readonly (keyof AutomationRow)[];

export function createAutomationsStore(db: Db): AutomationsStore {
  const automations = () => db.selectFrom("automations").select([...COLUMNS, FIRED_24H.as("fired_24h")]);
  return {
    list: (query) => readPage(db, automations(), NEWEST_AUTOMATION_FIRST, query),

    find: async (id) => (isUuid(id) ? automations().where("id", "=", id).executeTakeFirst() : undefined),

    listFirings: (automation_id, query) =>
      readPage(
        db,
        db.selectFrom("automation_firings").selectAll().where("automation_id", "=", automation_id),
        NEWEST_FIRING_FIRST,
        query,
      ),
  };
}

export const MAX_AUTOMATIONS = 1000;

/** Writes and the reads that they need. */
export function createAutomationsWriter(db: Db) {
  return {
    async count(): Promise<number> {
      const { count } = await db
        .selectFrom("automations")
        .select(sql<number>`count(*)::int`.as("count"))
        .executeTakeFirstOrThrow();
      return count;
    },

    listEnabled(): Promise<AutomationRow[]> {
      return db
        .selectFrom("automations")
        .select(ROW)
        .where("enabled", "=", true)
        .orderBy("created_at")
        .limit(MAX_AUTOMATIONS)
        .execute();
    },

    /** Locks the row until the transaction ends. */
    async lock(id: string): Promise<AutomationRow | undefined> {
      if (!isUuid(id)) return undefined;
      return db.selectFrom("automations").select(ROW).where("id", "=", id).forUpdate().executeTakeFirst();
    },

    /** Returns false if the name is taken. */
    async insert(row: AutomationRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("automations")
        .values(row)
        .onConflict((taken) => taken.column("name").doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    /** Reports whether another automation has the name. */
    async isNameTaken({ id, name }: Pick<AutomationRow, "id" | "name">): Promise<boolean> {
      const other = await db
        .selectFrom("automations")
        .select("id")
        .where("name", "=", name)
        .where("id", "!=", id)
        .executeTakeFirst();
      return other !== undefined;
    },

    async update(id: string, fields: Partial<AutomationRow>): Promise<void> {
      await db.updateTable("automations").set(fields).where("id", "=", id).execute();
    },

    async delete(id: string): Promise<void> {
      await db.deleteFrom("automations").where("id", "=", id).execute();
    },

    /** Reports whether the automation has handled the alert since it was last opened, with any outcome. */
    async hasFired(
      automation_id: string,
      { id: alert_id, reopened_count }: { id: string; reopened_count: number },
    ): Promise<boolean> {
      const firing = await db
        .selectFrom("automation_firings")
        .select("at")
        .where("automation_id", "=", automation_id)
        .where("alert_id", "=", alert_id)
        .where("reopened_count", ">=", reopened_count)
        .executeTakeFirst();
      return firing !== undefined;
    },

    /** Returns when the automation last started its playbook for an alert of the site. */
    async findLastFired(automation_id: string, site: string): Promise<Date | undefined> {
      const found = await db
        .selectFrom("automation_cooldowns")
        .select("last_fired_at")
        .where("automation_id", "=", automation_id)
        .where("site", "=", site)
        .executeTakeFirst();
      return found?.last_fired_at;
    },

    async storeLastFired(automation_id: string, site: string, last_fired_at: Date): Promise<void> {
      await db
        .insertInto("automation_cooldowns")
        .values({ automation_id, site, last_fired_at })
        .onConflict((known) => known.columns(["automation_id", "site"]).doUpdateSet({ last_fired_at }))
        .execute();
      await db.updateTable("automations").set({ last_fired_at }).where("id", "=", automation_id).execute();
    },

    async storeFiring(firing: FiringRow): Promise<void> {
      const { automation_id: _, alert_id: __, ...latest } = firing;
      await db
        .insertInto("automation_firings")
        .values(firing)
        .onConflict((before) => before.columns(["automation_id", "alert_id"]).doUpdateSet(latest))
        .execute();
    },

    /** Deletes one batch of the entries that no cooldown reaches. */
    async deleteCooldowns(before: Date, most: number): Promise<number> {
      const old = db
        .selectFrom("automation_cooldowns")
        .select(sql`ctid`.as("ctid"))
        .where("last_fired_at", "<", before)
        .limit(most);
      const { numDeletedRows } = await db
        .deleteFrom("automation_cooldowns")
        .where(sql`ctid`, "in", old)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    /**
     * Deletes old firings and returns the number. They are not needed to prevent repeats, because one event opens an
     * alert.
     */
    async deleteFirings(before: Date, most: number): Promise<number> {
      const old = db.selectFrom("automation_firings").select(sql`ctid`.as("ctid")).where("at", "<", before).limit(most);
      const { numDeletedRows } = await db
        .deleteFrom("automation_firings")
        .where(sql`ctid`, "in", old)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

export function createShowcaseAutomationsStore(automations: readonly Automation[]): AutomationsStore {
  return {
    list: async (query) => pageInMemory(automations, NEWEST_AUTOMATION_FIRST, query),
    find: async (id) => automations.find((automation) => automation.id === id),
    listFirings: async (_, query) => pageInMemory<Firing>([], NEWEST_FIRING_FIRST, query),
  };
}
