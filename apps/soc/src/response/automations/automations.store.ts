import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
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
    automation_firings: Firing;
  }
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

export async function countAutomations(tx: Db): Promise<number> {
  const { count } = await tx
    .selectFrom("automations")
    .select(sql<number>`count(*)::int`.as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

export function listEnabled(db: Db): Promise<AutomationRow[]> {
  return db
    .selectFrom("automations")
    .select(COLUMNS)
    .where("enabled", "=", true)
    .orderBy("created_at")
    .limit(MAX_AUTOMATIONS)
    .execute();
}

/** Locks the row until the transaction ends. */
export async function lockAutomation(tx: Db, id: string): Promise<AutomationRow | undefined> {
  if (!isUuid(id)) return undefined;
  return tx.selectFrom("automations").select(COLUMNS).where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Returns false when the name is taken. */
export async function insertAutomation(tx: Db, row: AutomationRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("automations")
    .values(row)
    .onConflict((taken) => taken.column("name").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Whether another automation has the name. */
export async function isNameTaken(tx: Db, { id, name }: Pick<AutomationRow, "id" | "name">): Promise<boolean> {
  const other = await tx
    .selectFrom("automations")
    .select("id")
    .where("name", "=", name)
    .where("id", "!=", id)
    .executeTakeFirst();
  return other !== undefined;
}

export async function updateAutomation(tx: Db, id: string, fields: Partial<AutomationRow>): Promise<void> {
  await tx.updateTable("automations").set(fields).where("id", "=", id).execute();
}

export async function deleteAutomation(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom("automations").where("id", "=", id).execute();
}

/** Whether the automation has already handled the alert, with any outcome. */
export async function hasFired(tx: Db, automation_id: string, alert_id: string): Promise<boolean> {
  const firing = await tx
    .selectFrom("automation_firings")
    .select("at")
    .where("automation_id", "=", automation_id)
    .where("alert_id", "=", alert_id)
    .executeTakeFirst();
  return firing !== undefined;
}

export async function insertFiring(tx: Db, firing: Firing): Promise<void> {
  await tx.insertInto("automation_firings").values(firing).execute();
}

/** Returns how many were deleted. Old firings are not needed to prevent repeats: an alert is new only once. */
export async function deleteFirings(db: Db, before: Date, most: number): Promise<number> {
  const old = db.selectFrom("automation_firings").select(sql`ctid`.as("ctid")).where("at", "<", before).limit(most);
  const { numDeletedRows } = await db.deleteFrom("automation_firings").where(sql`ctid`, "in", old).executeTakeFirst();
  return Number(numDeletedRows);
}
