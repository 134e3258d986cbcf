import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
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

export type Ending =
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

/** Inserts the deliveries and returns the new ones: each channel receives an event once. */
export async function insertDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<Delivery[]> {
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
}

/** The number of queued deliveries per channel, counted up to a limit. */
export async function countQueued(db: Db, channelIds: readonly string[], limit: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    SELECT id, (
      SELECT count(*)::int FROM (
        SELECT FROM notification_deliveries WHERE channel_id = channels.id AND status = 'queued' LIMIT ${limit}
      ) AS waiting
    ) AS count
    FROM unnest(${[...channelIds]}::uuid[]) AS channels (id)`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Leases a batch of due deliveries. If the worker dies, others take them after the lease ends. */
export async function claimDue(db: Db, limit: number, leaseSeconds: number): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    UPDATE notification_deliveries
    SET attempts = attempts + 1, next_attempt_at = clock_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
    WHERE id IN (
      SELECT id FROM notification_deliveries WHERE status = 'queued' AND next_attempt_at <= clock_timestamp()
      ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) AND status = 'queued'
    RETURNING *`.execute(db);
  return rows;
}

/** Stores the result of an attempt. No effect when another worker has leased the delivery since. */
export async function endAttempt(db: Db, { id, attempts }: Delivery, ending: Ending): Promise<void> {
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
}

/** Deletes one batch of old finished deliveries; returns how many. */
export async function deleteOld(db: Db, keptSeconds: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM notification_deliveries WHERE id IN (
      SELECT id FROM notification_deliveries
      WHERE status <> 'queued' AND finished_at < clock_timestamp() - ${keptSeconds}::float8 * interval '1 second'
      ORDER BY finished_at LIMIT ${limit}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
