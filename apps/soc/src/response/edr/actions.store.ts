import { sql } from "kysely";
import type { Scope } from "../../foundation/caller/caller.ts";
import { isInScope } from "../../foundation/caller/in-scope.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { EdrActionRecord, ListActionsQuery } from "./edr.schema.ts";
import { type EdrActionRow, leaseUntil, NEWEST_ACTION_FIRST, type Settlement } from "./edr-action.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    edr_actions: EdrActionRow;
  }
}

/** Reads outside a transaction. */
export interface ActionsStore {
  list(scope: Scope, query: ListActionsQuery): Promise<Page<EdrActionRecord>>;
  listByEndpoint(scope: Scope, endpoint_id: string, query: PageQuery): Promise<Page<EdrActionRecord>>;
}

export function createActionsStore(db: Db): ActionsStore {
  return {
    list(scope, { in_force, ...query }) {
      const records = selectRecords(db, scope);
      return readPage(db, in_force ? records.where(IN_FORCE) : records, NEWEST_ACTION_FIRST, query);
    },

    listByEndpoint: (scope, endpoint_id, query) =>
      readPage(db, selectRecords(db, scope).where("endpoint_id", "=", endpoint_id), NEWEST_ACTION_FIRST, query),
  };
}

const IN_FORCE = sql<boolean>`action = 'isolate' AND ended_at IS NULL AND status <> 'blocked' AND NOT simulated`;

/** Selects the actions on endpoints of the scope. */
function selectRecords(db: Db, scope: Scope) {
  return db
    .selectFrom("edr_actions")
    .innerJoin("edr_endpoints", "edr_endpoints.id", "endpoint_id")
    .where(isInScope(scope, "edr_endpoints.site"))
    .select([
      "edr_actions.id",
      "edr_actions.id as action_id",
      "endpoint_id",
      "hostname",
      "action",
      "status",
      "adapter",
      "simulated",
      "reason",
      "case_id",
      "requested_by",
      "requested_at",
      "settled_at",
      "error",
      "release_at",
      "ended_at",
    ]);
}

/** Writes and the reads that they need. */
export function createActionsWriter(db: Db) {
  return {
    /** Inserts the action, or returns the existing one with the same key. */
    async insertOrFind(row: EdrActionRow): Promise<EdrActionRow> {
      const inserted = await db
        .insertInto("edr_actions")
        .values(row)
        .onConflict((known) => known.column("key").doNothing())
        .returningAll()
        .executeTakeFirst();
      return inserted ?? db.selectFrom("edr_actions").selectAll().where("key", "=", row.key).executeTakeFirstOrThrow();
    },

    findByKey(key: string): Promise<EdrActionRow | undefined> {
      return db.selectFrom("edr_actions").selectAll().where("key", "=", key).executeTakeFirst();
    },

    find(id: string): Promise<EdrActionRow | undefined> {
      return db.selectFrom("edr_actions").selectAll().where("id", "=", id).executeTakeFirst();
    },

    /** Returns the release time of the isolation in force; null if there is no isolation or no release time. */
    async findRelease(endpoint_id: string): Promise<Date | null> {
      const found = await db
        .selectFrom("edr_actions")
        .select("release_at")
        .where("endpoint_id", "=", endpoint_id)
        .where(IN_FORCE)
        .orderBy("requested_at", "desc")
        .executeTakeFirst();
      return found?.release_at ?? null;
    },

    /** Returns false if another transaction settled the action first. */
    async settle(id: string, settlement: Settlement): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("edr_actions")
        .set(settlement)
        .where("id", "=", id)
        .where("status", "=", "dispatched")
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Cancels isolation commands of the endpoint that are still in flight: a newer command replaces them. */
    async cancelReplaced({ id, endpoint_id, requested_at }: EdrActionRow): Promise<void> {
      await db
        .updateTable("edr_actions")
        .set({
          status: "blocked",
          error: "replaced by a later action",
          next_attempt_at: null,
          settled_at: requested_at,
        })
        .where("endpoint_id", "=", endpoint_id)
        .where("action", "in", ["isolate", "unisolate"])
        .where("status", "=", "dispatched")
        .where("id", "!=", id)
        .execute();
    },

    /** Ends the endpoint's isolations in force because of this action. */
    async endIsolations({ id, endpoint_id, requested_at }: EdrActionRow): Promise<void> {
      await db
        .updateTable("edr_actions")
        .set({ ended_at: requested_at, ended_by: id })
        .where("endpoint_id", "=", endpoint_id)
        .where("id", "!=", id)
        .where(IN_FORCE)
        .execute();
    },

    /** Undoes `endIsolations` after the action failed. Removes the automatic release, which has been tried. */
    async resumeIsolations(id: string): Promise<void> {
      await db
        .updateTable("edr_actions")
        .set({ ended_at: null, ended_by: null, release_at: null })
        .where("ended_by", "=", id)
        .execute();
    },

    /** Reports whether the adapter has carried out an isolation that is still in force. */
    async isConfirmed(endpoint_id: string): Promise<boolean> {
      const found = await db
        .selectFrom("edr_actions")
        .select("id")
        .where("endpoint_id", "=", endpoint_id)
        .where("status", "=", "completed")
        .where(IN_FORCE)
        .executeTakeFirst();
      return found !== undefined;
    },

    /** Reports whether the endpoint has an isolation in force or an action that the adapter has not settled. */
    async isBusy(endpoint_id: string): Promise<boolean> {
      const found = await db
        .selectFrom("edr_actions")
        .select("id")
        .where("endpoint_id", "=", endpoint_id)
        .where(sql<boolean>`(status = 'dispatched' OR (${IN_FORCE}))`)
        .executeTakeFirst();
      return found !== undefined;
    },

    /** Leases a batch of due actions; other workers skip them until the lease ends. */
    async takeDue(now: Date, most: number): Promise<EdrActionRow[]> {
      const due = db
        .selectFrom("edr_actions")
        .select("id")
        .where("status", "=", "dispatched")
        .where("next_attempt_at", "<=", now)
        .orderBy("next_attempt_at")
        .limit(most)
        .forUpdate()
        .skipLocked();
      return db
        .updateTable("edr_actions")
        .set({ next_attempt_at: leaseUntil(now) })
        .where("id", "in", due)
        .returningAll()
        .execute();
    },

    /** Lists isolations in force whose release time has passed. */
    listExpired(now: Date, most: number): Promise<EdrActionRow[]> {
      return db
        .selectFrom("edr_actions")
        .selectAll()
        .where("release_at", "<=", now)
        .where(IN_FORCE)
        .orderBy("release_at")
        .limit(most)
        .execute();
    },

    /** Deletes a batch of the oldest settled actions not in force, beyond the number to keep, and returns the number. */
    async deleteSettled(keep: number, limit: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM edr_actions WHERE id IN (
          SELECT id FROM edr_actions WHERE settled_at IS NOT NULL AND NOT (${IN_FORCE})
          ORDER BY settled_at DESC, id DESC OFFSET ${keep} LIMIT ${limit})`.execute(db);
      return Number(numAffectedRows);
    },
  };
}
