import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { hasValues, pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import type { DeliveriesQuery } from "./deliveries.schema.ts";
import { type Delivery, NEWEST_FIRST } from "./delivery.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    notification_deliveries: Delivery;
  }
}

export interface DeliveriesStore {
  list(query: DeliveriesQuery): Promise<Page<Delivery>>;
}

export type NewDelivery = Pick<Delivery, "id" | "channel_id" | "event_id" | "type" | "message">;

export type DeliveryResult =
  | { status: "sent" | "recorded" }
  | { status: "dead"; last_error: string }
  | { status: "queued"; last_error: string; waitSeconds: number };

const COLUMNS = [
  "id",
  "channel_id",
  "event_id",
  "type",
  "message",
  "status",
  "attempts",
  "next_attempt_at",
  "last_error",
  "created_at",
  "finished_at",
] as const satisfies readonly (keyof Delivery)[];

export function createDeliveriesStore(db: Db): DeliveriesStore {
  return {
    list: (query) => {
      const { channel_id, status } = query;
      const deliveries = db
        .selectFrom("notification_deliveries")
        .select(COLUMNS)
        .$if(channel_id !== undefined, (page) =>
          isUuid(channel_id ?? "") ? page.where("channel_id", "=", channel_id ?? "") : page.where(sql<boolean>`false`),
        )
        .$if(status !== undefined, (page) => page.where("status", "=", status ?? "queued"));
      return readPage<Delivery>(db, deliveries, NEWEST_FIRST, query);
    },
  };
}

/** Writes and the reads that they need. */
export function createDeliveriesWriter(db: Db) {
  return {
    /** Inserts the deliveries and returns the new ones, because each channel receives an event once. */
    async insert(deliveries: readonly NewDelivery[]): Promise<Delivery[]> {
      if (deliveries.length === 0) return [];
      const { rows } = await sql<Delivery>`
        INSERT INTO notification_deliveries
          (id, channel_id, event_id, type, message, status, attempts, next_attempt_at, created_at)
        SELECT id, channel_id, event_id, type, message, 'queued', 0, now(), now()
        FROM jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
          AS given (id uuid, channel_id uuid, event_id text, type text, message jsonb)
        -- Its channel may have been deleted since it was read.
        WHERE EXISTS (SELECT FROM notification_channels AS channel WHERE channel.id = given.channel_id)
        ON CONFLICT (channel_id, event_id) DO NOTHING
        RETURNING id, channel_id, event_id, type, message, status, attempts, next_attempt_at, last_error, created_at,
          finished_at`.execute(db);
      return rows;
    },

    /** Stores deliveries that have already ended, with their times. */
    async insertFinished(deliveries: readonly Delivery[]): Promise<void> {
      for (const delivery of deliveries) await db.insertInto("notification_deliveries").values(delivery).execute();
    },

    /** Counts queued deliveries per channel up to a limit. */
    async countQueued(channelIds: readonly string[], limit: number): Promise<Map<string, number>> {
      const { rows } = await sql<{ id: string; count: number }>`
        SELECT id, (
          SELECT count(*)::int FROM (
            SELECT FROM notification_deliveries WHERE channel_id = channels.id AND status = 'queued' LIMIT ${limit}
          ) AS waiting
        ) AS count
        FROM unnest(${[...channelIds]}::uuid[]) AS channels (id)`.execute(db);
      return new Map(rows.map(({ id, count }) => [id, count]));
    },

    /** Leases a batch of due deliveries. If the worker dies, others lease them again after the lease ends. */
    async claimDue(limit: number, leaseSeconds: number): Promise<Delivery[]> {
      const { rows } = await sql<Delivery>`
        UPDATE notification_deliveries
        SET attempts = attempts + 1, next_attempt_at = clock_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
        WHERE id IN (
          SELECT id FROM notification_deliveries WHERE status = 'queued' AND next_attempt_at <= clock_timestamp()
          ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) AND status = 'queued'
        RETURNING *`.execute(db);
      return rows;
    },

    /** Stores the result of an attempt. Has no effect if another worker has leased the delivery since. */
    async endAttempt({ id, attempts }: Delivery, ending: DeliveryResult): Promise<void> {
      const waitSeconds = ending.status === "queued" ? ending.waitSeconds : 0;
      const isFinished = ending.status !== "queued";
      await db
        .updateTable("notification_deliveries")
        .set({
          status: ending.status,
          last_error: "last_error" in ending ? ending.last_error : null,
          next_attempt_at: sql`clock_timestamp() + ${waitSeconds}::float8 * interval '1 second'`,
          finished_at: isFinished ? sql`clock_timestamp()` : null,
        })
        .where("id", "=", id)
        .where("attempts", "=", attempts)
        .where("status", "=", "queued")
        .execute();
    },

    /** Deletes one batch of old finished deliveries and returns the number. */
    async deleteOld(keptSeconds: number, limit: number): Promise<number> {
      const { numAffectedRows } = await sql`
        DELETE FROM notification_deliveries WHERE id IN (
          SELECT id FROM notification_deliveries
          WHERE status <> 'queued' AND finished_at < clock_timestamp() - ${keptSeconds}::float8 * interval '1 second'
          ORDER BY finished_at LIMIT ${limit}
        )`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}

export function createShowcaseDeliveriesStore(deliveries: readonly Delivery[]): DeliveriesStore {
  return {
    list: async (query) =>
      pageInMemory(deliveries, NEWEST_FIRST, query, (each) => hasValues(each, query, ["channel_id", "status"])),
  };
}
