import { sql } from "kysely";
import type { Scope } from "../../foundation/caller/caller.ts";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { ALERT_COLUMN_TYPES, ALERT_COLUMNS, CHANGED_COLUMNS } from "../alerts/alert.ts";
import { type AlertSelection, searchWords } from "../alerts/alert-filters.ts";
import { filterAlerts, hasWords } from "../alerts/alert-selection.ts";
import type { ChangedAlert, ValuesBefore } from "./bulk-change.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    alert_bulk_changes: BulkChange;
    alert_bulk_values: { change_id: string; alert_id: string; changed_to: Date; before: ValuesBefore };
  }
}

export interface BulkChange {
  id: string;
  made_by: string;
  at: Date;
  undone_at: Date | null;
}

/** An alert of a change with its previous values. */
export interface RememberedAlert {
  alert: ChangedAlert;
  before: ValuesBefore;
  /** Whether it still has the version that the change stored. */
  isSame: boolean;
}

const SWEEP_BATCH_SIZE = 2000;
const READ_COLUMNS = [...CHANGED_COLUMNS, "id", "case_id", "rule_id", "filter_keys"] as const;

export function createBulkChangesWriter(tx: Db) {
  const select = (scope: Scope, selection: AlertSelection) =>
    filterAlerts(tx.selectFrom("alerts").where(isInScope(scope)), selection).where(hasWords(searchWords(selection.q)));

  return {
    /**
     * Returns the sorted ids of at most `limit` alerts that the filters select. If the query is not exact, some may not
     * match.
     */
    async find(scope: Scope, selection: AlertSelection, limit: number): Promise<string[]> {
      const found = await select(scope, selection).select("id").limit(limit).execute();
      return found.map(({ id }) => id).toSorted();
    },

    /** Locks the alerts that the filters still select, in id order. */
    async lock(scope: Scope, selection: AlertSelection, ids: readonly string[]): Promise<string[]> {
      const locked = select(scope, selection)
        .where(sql<boolean>`id = ANY(${[...ids]}::uuid[])`)
        .orderBy("id")
        .forUpdate();
      const { query } = selection;
      if (!query || query.isExact) return (await locked.select("id").execute()).map(({ id }) => id);
      const alerts = await locked.select(ALERT_COLUMNS).execute();
      return alerts.filter((alert) => query.matches(alert)).map(({ id }) => id);
    },

    read: (ids: readonly string[]): Promise<ChangedAlert[]> =>
      tx
        .selectFrom("alerts")
        .select(READ_COLUMNS)
        .where(sql<boolean>`id = ANY(${[...ids]}::uuid[])`)
        .orderBy("id")
        .execute(),

    async insert(change: BulkChange): Promise<void> {
      await tx.insertInto("alert_bulk_changes").values(change).execute();
    },

    /** Stores the alerts, and their previous values with the id of the change. */
    async change(change_id: string, alerts: readonly ChangedAlert[]): Promise<void> {
      // All parts of the statement read the alerts as they were before it.
      await sql`
        WITH given AS MATERIALIZED (${selectGiven(alerts)}), remembered AS (
          INSERT INTO alert_bulk_values (change_id, alert_id, changed_to, before)
          SELECT ${change_id}::uuid, id, given.updated_at, jsonb_build_object(${BEFORE})
          FROM given JOIN alerts USING (id)
        ) ${UPDATE}`.execute(tx);
    },

    /** Stores the previous values of one alert for the change that stored version `changed_to`. */
    async remember(change_id: string, previous: ChangedAlert, changed_to: Date): Promise<void> {
      const before = Object.fromEntries(CHANGED_COLUMNS.map((column) => [column, previous[column]]));
      await sql`
        INSERT INTO alert_bulk_values (change_id, alert_id, changed_to, before)
        VALUES (${change_id}, ${previous.id}, ${changed_to}, ${JSON.stringify(before)}::jsonb)`.execute(tx);
    },

    lockChange: (change_id: string): Promise<BulkChange | undefined> =>
      tx.selectFrom("alert_bulk_changes").selectAll().where("id", "=", change_id).forUpdate().executeTakeFirst(),

    async markUndone(change_id: string, undone_at: Date): Promise<void> {
      await tx.updateTable("alert_bulk_changes").set({ undone_at }).where("id", "=", change_id).execute();
    },

    /** Returns the next alerts of the change after an id, locked in id order. */
    async lockRemembered(
      scope: Scope,
      change_id: string,
      afterId: string | undefined,
      limit: number,
    ): Promise<RememberedAlert[]> {
      const rows = await tx
        .selectFrom("alert_bulk_values")
        .innerJoin("alerts", "alerts.id", "alert_bulk_values.alert_id")
        .select(READ_COLUMNS)
        .select("before")
        .select(sql<boolean>`alerts.updated_at = changed_to`.as("isSame"))
        .where("change_id", "=", change_id)
        .where(isInScope(scope))
        .$if(afterId !== undefined, (rest) => rest.where("alert_id", ">", afterId ?? ""))
        .orderBy("alert_id")
        .limit(limit)
        .forUpdate("alerts")
        .execute();
      return rows.map(({ before, isSame, ...alert }) => ({ alert, before, isSame }));
    },

    async restore(alerts: readonly ChangedAlert[]): Promise<void> {
      await sql`WITH given AS MATERIALIZED (${selectGiven(alerts)}) ${UPDATE}`.execute(tx);
    },

    /** Deletes a limited number of rows of changes before this time. */
    async sweep(before: Date): Promise<number> {
      const values = await sql`
        DELETE FROM alert_bulk_values WHERE (change_id, alert_id) IN (
          SELECT change_id, alert_id FROM alert_bulk_values JOIN alert_bulk_changes ON id = change_id
          WHERE at < ${before} LIMIT ${SWEEP_BATCH_SIZE})`.execute(tx);
      const changes = await sql`
        DELETE FROM alert_bulk_changes WHERE at < ${before}
          AND NOT EXISTS (SELECT FROM alert_bulk_values WHERE change_id = id)`.execute(tx);
      return Number(values.numAffectedRows ?? 0n) + Number(changes.numAffectedRows ?? 0n);
    },
  };
}

const BEFORE = sql.join(CHANGED_COLUMNS.flatMap((column) => [sql.lit(column), sql.ref(`alerts.${column}`)]));

const UPDATE = sql`
  UPDATE alerts SET ${sql.join(
    [...CHANGED_COLUMNS, "filter_keys"].map((column) => sql`${sql.ref(column)} = ${sql.ref(`given.${column}`)}`),
  )} FROM given WHERE alerts.id = given.id`;

const GIVEN = sql.join(
  (["id", ...CHANGED_COLUMNS] as const).map((column) => sql`${sql.ref(column)} ${sql.raw(ALERT_COLUMN_TYPES[column])}`),
);

function selectGiven(alerts: readonly ChangedAlert[]) {
  return sql`
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(alerts)}::jsonb) AS row (${GIVEN}, filter_keys text[])`;
}
