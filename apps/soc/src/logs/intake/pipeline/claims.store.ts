import { type Kysely, sql } from "kysely";
import type { Db, Tables } from "../../../foundation/database/tables.ts";
import type { Refusal } from "./chunk.ts";
import { isLive } from "./live-writer.ts";
import { WRITER_LEASE_SECONDS } from "./writers.store.ts";

export interface NewInsert {
  writer: string;
  ingested_at: Date;
  probe: string;
}

export interface PendingInsert extends NewInsert {
  id: string;
}

export interface ClaimedBatch {
  key: string;
  digest: string;
  /** Entries of the batch that are already refused. */
  refused: readonly Refusal[];
}

export interface KnownBatch {
  key: string;
  digest: string;
  is_stored: boolean;
  refused: Refusal[];
}

export interface KnownEvent {
  id: string;
  is_stored: boolean;
}

/** Remembers batches and events for a day, to detect repeats. */
export interface ClaimsStore {
  /** Records the contents of the next insert. Known batches and events are not claimed again, but returned. */
  claim(
    tx: Db,
    insert: NewInsert,
    batches: readonly ClaimedBatch[],
    events: readonly string[],
  ): Promise<{ id: string; batches: KnownBatch[]; events: KnownEvent[] }>;
  /** Returns the known ones of the batches. */
  findBatches(keys: readonly string[]): Promise<KnownBatch[]>;
  /** From now on the existence of this log shows whether the insert succeeded. */
  setProbe(id: string, probe: string): Promise<void>;
  /** The insert is in the log store. */
  settle(id: string, tx?: Db): Promise<void>;
  /** The insert is not in the log store and never will be. */
  forget(id: string): Promise<void>;
  /** Releases some claims of an insert. */
  release(tx: Db, id: string, batches: readonly string[], events: readonly string[]): Promise<void>;
  /** Unsettled inserts older than this, of this writer and of writers that have ended. */
  listPending(writer: string, olderThanSeconds: number): Promise<PendingInsert[]>;
  /** Deletes some of the settled inserts older than this, with all their claims; returns their number. */
  sweep(olderThanSeconds: number): Promise<number>;
  /** Deletes some of the oldest named events while there are more than `maxEvents`; returns their number. */
  forgetEvents(maxEvents: number): Promise<number>;
}

const BATCH_SIZE = 100;
const SWEEP_INSERTS = 50;
// A single statement deletes few enough rows for the statement timeout, even if none of them is cached.
const SWEEP_EVENTS = 50_000;

export function createClaimsStore(db: Kysely<Tables>): ClaimsStore {
  return {
    async claim(tx, insert, batches, events) {
      const made = await sql<{ id: string }>`
        INSERT INTO log_inserts (writer, ingested_at, probe, events)
        VALUES (${insert.writer}, ${insert.ingested_at}, ${insert.probe}, ${events.length}) RETURNING id`.execute(tx);
      const id = made.rows[0]?.id ?? "0";
      return { id, batches: await claimBatches(tx, id, batches), events: await claimEvents(tx, id, events) };
    },

    async findBatches(keys) {
      return keys.length === 0 ? [] : knownBatches(db, keys);
    },

    async setProbe(id, probe) {
      await sql`UPDATE log_inserts SET probe = ${probe} WHERE id = ${id}`.execute(db);
    },

    async settle(id, tx = db) {
      await sql`UPDATE log_inserts SET is_stored = true WHERE id = ${id}`.execute(tx);
    },

    async forget(id) {
      await sql`DELETE FROM log_inserts WHERE id = ${id}`.execute(db);
    },

    async release(tx, id, batches, events) {
      await sql`DELETE FROM intake_batches WHERE insert_id = ${id} AND key = ANY(${batches}::uuid[])`.execute(tx);
      await sql`DELETE FROM intake_events WHERE insert_id = ${id} AND id = ANY(${events}::uuid[])`.execute(tx);
    },

    async listPending(writer, olderThanSeconds) {
      // A writer without a row is treated as if its lease began with the insert.
      const { rows } = await sql<PendingInsert>`
        SELECT log_inserts.id, log_inserts.writer, ingested_at, probe
        FROM log_inserts LEFT JOIN log_writers USING (writer)
        WHERE NOT is_stored AND at <= now() - make_interval(secs => ${olderThanSeconds}::float8)
          AND (log_inserts.writer = ${writer} OR CASE
            WHEN seen_at IS NULL THEN at <= now() - make_interval(secs => ${WRITER_LEASE_SECONDS})
            ELSE NOT ${isLive(WRITER_LEASE_SECONDS)} END)
        ORDER BY log_inserts.id LIMIT ${BATCH_SIZE}`.execute(db);
      return rows;
    },

    async sweep(olderThanSeconds) {
      const { numAffectedRows } = await sql`
        DELETE FROM log_inserts WHERE id IN (
          SELECT id FROM (
            SELECT id, sum(events) OVER (ORDER BY id) - events AS before FROM (
              SELECT id, events FROM log_inserts
              WHERE is_stored AND at < now() - make_interval(secs => ${olderThanSeconds})
              ORDER BY id LIMIT ${SWEEP_INSERTS}
            ) AS oldest
          ) AS summed WHERE before < ${SWEEP_EVENTS}
        )`.execute(db);
      return Number(numAffectedRows ?? 0);
    },

    async forgetEvents(maxEvents) {
      const { rows } = await sql<{ events: number }>`
        WITH chosen AS (
          SELECT id, events FROM (
            SELECT id, events, sum(events) OVER (ORDER BY id) - events AS before FROM (
              SELECT id, events FROM log_inserts WHERE is_stored AND events > 0 ORDER BY id LIMIT ${SWEEP_INSERTS}
            ) AS oldest
          ) AS summed
          WHERE before < ${SWEEP_EVENTS}
            AND before < (SELECT sum(events) FROM log_inserts WHERE events > 0) - ${maxEvents}
        ), forgotten AS (
          DELETE FROM intake_events WHERE insert_id IN (SELECT id FROM chosen)
        )
        UPDATE log_inserts SET events = 0 FROM chosen WHERE log_inserts.id = chosen.id
        RETURNING chosen.events`.execute(db);
      return rows.reduce((sum, { events }) => sum + events, 0);
    },
  };
}

/** Keys are claimed in sorted order to avoid deadlocks between transactions with the same keys. */
async function claimBatches(tx: Db, insertId: string, batches: readonly ClaimedBatch[]): Promise<KnownBatch[]> {
  if (batches.length === 0) return [];
  const ordered = batches.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const keys = ordered.map(({ key }) => key);
  const digests = ordered.map(({ digest }) => digest);
  const refused = ordered.map((batch) => JSON.stringify(batch.refused));
  const claimed = await sql<{ key: string }>`
    INSERT INTO intake_batches (key, digest, refused, insert_id)
    SELECT key, digest, refused, ${insertId}
    FROM unnest(${keys}::uuid[], ${digests}::text[], ${refused}::jsonb[])
      WITH ORDINALITY AS given (key, digest, refused, place) ORDER BY place
    ON CONFLICT DO NOTHING RETURNING key`.execute(tx);
  if (claimed.rows.length === keys.length) return [];
  const others = remaining(
    keys,
    claimed.rows.map(({ key }) => key),
  );
  const rows = await knownBatches(tx, others);
  // Another writer released the key between the two statements: it is not known, and this insert did not claim it
  // either.
  const gone = remaining(
    others,
    rows.map(({ key }) => key),
  );
  return [...rows, ...gone.map((key) => ({ key, digest: "", is_stored: false, refused: [] }))];
}

async function knownBatches(db: Db, keys: readonly string[]): Promise<KnownBatch[]> {
  const { rows } = await sql<KnownBatch>`
    SELECT key, digest, refused, is_stored FROM intake_batches JOIN log_inserts ON log_inserts.id = insert_id
    WHERE key = ANY(${keys}::uuid[])`.execute(db);
  return rows;
}

async function claimEvents(tx: Db, insertId: string, events: readonly string[]): Promise<KnownEvent[]> {
  if (events.length === 0) return [];
  const claimed = await sql<{ id: string }>`
    INSERT INTO intake_events (id, insert_id)
    SELECT id, ${insertId} FROM unnest(${events.toSorted()}::uuid[]) WITH ORDINALITY AS given (id, place) ORDER BY place
    ON CONFLICT DO NOTHING RETURNING id`.execute(tx);
  if (claimed.rows.length === events.length) return [];
  const others = remaining(
    events,
    claimed.rows.map(({ id }) => id),
  );
  const { rows } = await sql<KnownEvent>`
    SELECT intake_events.id, is_stored FROM intake_events JOIN log_inserts ON log_inserts.id = insert_id
    WHERE intake_events.id = ANY(${others}::uuid[])`.execute(tx);
  const gone = remaining(
    others,
    rows.map(({ id }) => id),
  );
  return [...rows, ...gone.map((id) => ({ id, is_stored: false }))];
}

function remaining(all: readonly string[], without: readonly string[]): string[] {
  const known = new Set(without);
  return all.filter((each) => !known.has(each));
}
