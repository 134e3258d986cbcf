import { type Generated, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { StreamEvent } from "../../foundation/events/event-stream.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { newestFirst } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import type { ParkedEventBody } from "./parked-events.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    parked_events: Omit<ParkedEventBody, "retries"> & {
      event_id: string;
      data: object;
      retries: Generated<number>;
    };
  }
}

export interface ParkedEventsStore {
  list(query: PageQuery): Promise<Page<ParkedEventBody>>;
}

/** A due event, claimed by this worker until its next retry. */
export interface DueEvent {
  id: string;
  retries: number;
  event: StreamEvent;
}

export interface NewParkedEvent {
  id: string;
  event: StreamEvent;
  error: string;
  at: Date;
  retryAt: Date;
}

export interface WritableParkedEventsStore extends ParkedEventsStore {
  /** Returns false if the event is already parked. */
  insert(parked: NewParkedEvent): Promise<boolean>;
  /** Claims events whose retry is due, and postpones them in case this worker ends. */
  claim(now: Date, postponedTo: Date, limit: number): Promise<DueEvent[]>;
  update(id: string, failed: { error: string; retryAt: Date }): Promise<void>;
  remove(id: string): Promise<void>;
  /** Makes the event due. Returns undefined if it does not exist. */
  makeDue(id: string, now: Date): Promise<ParkedEventBody | undefined>;
}

export const NEWEST_PARKED_FIRST = newestFirst("parked_at");

const COLUMNS = ["id", "type", "subject_id", "at", "error", "retries", "parked_at", "retry_at"] as const;

export function createParkedEventsStore(db: Db): WritableParkedEventsStore {
  return {
    list: (query) => readPage(db, db.selectFrom("parked_events").select(COLUMNS), NEWEST_PARKED_FIRST, query),

    async insert({ id, event, error, at, retryAt }) {
      const { id: event_id, at: event_at, type, subject_id, data } = event;
      const known = { event_id, type, subject_id, data, at: new Date(event_at) };
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("parked_events")
        .values({ id, ...known, error, parked_at: at, retry_at: retryAt })
        .onConflict((parked) => parked.column("event_id").doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async claim(now, postponedTo, limit) {
      const due = db
        .selectFrom("parked_events")
        .select("id")
        .where("retry_at", "<=", now)
        .orderBy("retry_at")
        .limit(limit)
        .forUpdate()
        .skipLocked();
      const rows = await db
        .updateTable("parked_events")
        .set({ retry_at: postponedTo, retries: sql<number>`retries + 1` })
        .where("id", "in", due)
        .returning(["id", "event_id", "type", "subject_id", "data", "at", "retries"])
        .execute();
      return rows.map(({ id, event_id, retries, at, ...event }) => ({
        id,
        retries,
        event: { ...event, id: event_id, at: at.toISOString() },
      }));
    },

    async update(id, { error, retryAt }) {
      await db.updateTable("parked_events").set({ error, retry_at: retryAt }).where("id", "=", id).execute();
    },

    async remove(id) {
      await db.deleteFrom("parked_events").where("id", "=", id).execute();
    },

    async makeDue(id, now) {
      if (!isUuid(id)) return undefined;
      return db
        .updateTable("parked_events")
        .set({ retry_at: now })
        .where("id", "=", id)
        .returning(COLUMNS)
        .executeTakeFirst();
    },
  };
}
