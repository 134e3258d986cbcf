import { type Kysely, sql } from "kysely";
import type { Db, Tables } from "../../../foundation/database/tables.ts";
import { countTotal } from "../../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../../foundation/lists/lists.schema.ts";
import { DEFAULT_LIMIT, decodeCursor, isUuid, type Page, toPage } from "../../../foundation/lists/page.ts";
import type { DeadLetter } from "./dead-letter.ts";

export interface ReadableDeadLetters {
  /** Newest first; only those of the sender, if one is given. */
  list(query: PageQuery, sender?: string): Promise<Page<DeadLetter>>;
  find(id: string): Promise<DeadLetter | undefined>;
}

export interface DeadLettersStore extends ReadableDeadLetters {
  insert(tx: Db, letters: readonly DeadLetter[]): Promise<void>;
  /** Returns false if it does not exist. */
  remove(tx: Db, id: string): Promise<boolean>;
  /** Removes up to `limit` of the oldest dead letters beyond the limits; returns their number. */
  sweep(bounds: DeadLetterBounds, limit: number): Promise<number>;
}

export interface DeadLetterBounds {
  count: number;
  bytes: number;
}

const ORDER = "at";

const BATCH_SIZE = 1000;

const EPOCH = new Date(0);

export function createDeadLettersStore(db: Kysely<Tables>): DeadLettersStore {
  const letters = sql<DeadLetter>`SELECT id, at, format, sender, site, sites, source, reason, raw, is_cut FROM dead_letters`;
  return {
    async insert(tx, rows) {
      for (let from = 0; from < rows.length; from += BATCH_SIZE) {
        const some = rows.slice(from, from + BATCH_SIZE);
        const column = <Name extends keyof DeadLetter>(name: Name) => some.map((row) => row[name]);
        await sql`
          INSERT INTO dead_letters (id, at, format, sender, site, source, reason, raw, is_cut, sites, bytes)
          SELECT *, octet_length(raw) FROM unnest(${column("id")}::uuid[], ${column("at")}::timestamptz[], ${column("format")}::text[],
            ${column("sender")}::text[], ${column("site")}::text[], ${column("source")}::text[],
            ${column("reason")}::text[], ${column("raw")}::bytea[], ${column("is_cut")}::boolean[],
            ${column("sites").map((sites) => sites && JSON.stringify(sites))}::jsonb[])
            AS given (id, at, format, sender, site, source, reason, raw, is_cut, sites)
          ON CONFLICT DO NOTHING`.execute(tx);
      }
    },

    async list(query, sender) {
      const { at, id } = decodePlace(query);
      const isOwn = sender === undefined ? sql`true` : sql`sender = ${sender}`;
      const { rows } = await sql<DeadLetter>`
        ${letters} WHERE ${isOwn} AND (${query.cursor === undefined} OR (at, id) < (${at}, ${id}::uuid))
        ORDER BY at DESC, id DESC OFFSET ${query.skip ?? 0} LIMIT ${(query.limit ?? DEFAULT_LIMIT) + 1}`.execute(db);
      const total = await countTotal(db, sql`SELECT FROM dead_letters WHERE ${isOwn}`);
      const toRowPosition = (row: DeadLetter) => [row.at.toISOString(), row.id];
      return toPage({ query, order: ORDER, rows, total, positionOf: toRowPosition });
    },

    async find(id) {
      if (!isUuid(id)) return undefined;
      return (await sql<DeadLetter>`${letters} WHERE id = ${id}`.execute(db)).rows[0];
    },

    async remove(tx, id) {
      const { numAffectedRows } = await sql`DELETE FROM dead_letters WHERE id = ${id}`.execute(tx);
      return (numAffectedRows ?? 0n) > 0n;
    },

    async sweep({ count, bytes }, limit) {
      // Reads the index from the newest letter to the first one beyond the limits, however many there are in total.
      const { numAffectedRows } = await sql`
        WITH first_beyond AS (
          SELECT at, id FROM (
            SELECT at, id, count(*) OVER newer AS rank, sum(bytes) OVER newer AS size FROM dead_letters
            WINDOW newer AS (ORDER BY at DESC, id DESC ROWS UNBOUNDED PRECEDING)
          ) AS ranked
          WHERE rank > ${count}::bigint OR size > ${bytes}::bigint ORDER BY at DESC, id DESC LIMIT 1
        )
        DELETE FROM dead_letters WHERE id IN (
          SELECT dead_letters.id FROM dead_letters, first_beyond
          WHERE (dead_letters.at, dead_letters.id) <= (first_beyond.at, first_beyond.id)
          ORDER BY dead_letters.at, dead_letters.id LIMIT ${limit}
        )`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}

function decodePlace({ cursor }: PageQuery): { at: Date; id: string } {
  const [at, id] = cursor === undefined ? [] : decodeCursor(ORDER, cursor);
  const time = new Date(String(at));
  const isPlace = !Number.isNaN(time.getTime()) && isUuid(String(id));
  return isPlace ? { at: time, id: String(id) } : { at: EPOCH, id: "00000000-0000-0000-0000-000000000000" };
}

/** The showcase has no dead letters. */
export function createShowcaseDeadLetters(): ReadableDeadLetters {
  return {
    list: async (query) => toPage({ query, order: ORDER, rows: [], total: { total: 0 }, positionOf: () => [] }),
    find: async () => undefined,
  };
}
