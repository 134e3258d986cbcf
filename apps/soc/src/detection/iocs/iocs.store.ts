import { type Generated, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import {
  type Ioc,
  type IocDetail,
  type IocHit,
  type IocRow,
  isListed,
  NEWEST_FIRST,
  NEWEST_HITS_FIRST,
  type WholeIoc,
} from "./ioc.ts";
import type { IocFilter, ListIocsQuery } from "./iocs.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    iocs: IocRow & {
      network: Generated<string | null>;
      search_claimed_until: Generated<Date | null>;
      search_attempts: Generated<number>;
      changed_by: Generated<string>;
    };
  }
}

/** Reads outside of change transactions. */
export interface IocsStore {
  list(query: ListIocsQuery, now: Date): Promise<Page<Ioc>>;
  find(id: string): Promise<IocDetail | undefined>;
  /** The known ones of these ids. */
  findKnown(ids: readonly string[]): Promise<string[]>;
  listHits(id: string, query: PageQuery): Promise<Page<IocHit>>;
  /** The next page in id order. */
  next(filter: IocFilter, now: Date, after: string | undefined, limit: number): Promise<Ioc[]>;
}

const COLUMNS = [
  "id",
  "type",
  "value",
  "confidence",
  "severity",
  "source",
  "tags",
  "tlp",
  "first_seen",
  "last_seen",
  "expires_at",
  "hits",
] as const satisfies readonly (keyof Ioc)[];

const DETAIL_COLUMNS = [...COLUMNS, "searched_at", "search_is_capped"] as const satisfies readonly (keyof IocDetail)[];

const ROW_COLUMNS = [...DETAIL_COLUMNS, "created_at", "updated_at"] as const satisfies readonly (keyof IocRow)[];

const ROWS_BATCH_SIZE = 1000;

export function createIocsStore(db: Db): IocsStore {
  return {
    list: (query, now) => readPage(db, selectListed(db, query, now), NEWEST_FIRST, query),

    async find(id) {
      if (!isUuid(id)) return undefined;
      return db.selectFrom("iocs").select(DETAIL_COLUMNS).where("id", "=", id).executeTakeFirst();
    },

    async findKnown(ids) {
      const known = sql<boolean>`id = ANY(${ids}::uuid[])`;
      return (await db.selectFrom("iocs").select("id").where(known).execute()).map(({ id }) => id);
    },

    listHits(id, query) {
      const hits = db
        .selectFrom("ioc_hits")
        .select(["id", "log_id", "log_ingested_at", "seen_at"])
        .where("ioc_id", "=", id);
      return readPage(db, hits, NEWEST_HITS_FIRST, query);
    },

    next: (filter, now, after, limit) =>
      selectListed(db, filter, now)
        .$if(after !== undefined, (rest) => rest.where("id", ">", after ?? ""))
        .orderBy("id")
        .limit(limit)
        .execute(),
  };
}

function selectListed(db: Db, { type, value, q, source, tag, severity, active }: IocFilter, now: Date) {
  let listed = db.selectFrom("iocs").select(COLUMNS);
  if (type !== undefined) listed = listed.where("type", "=", type);
  if (value !== undefined) listed = listed.where("value", "=", value);
  if (q !== undefined) listed = listed.where(sql<boolean>`strpos(lower(value), ${q.toLowerCase()}) > 0`);
  if (source !== undefined) listed = listed.where("source", "=", source);
  if (tag !== undefined) listed = listed.where(sql<boolean>`tags @> ARRAY[${tag}::text]`);
  if (severity !== undefined) listed = listed.where("severity", "=", severity);
  if (active === undefined) return listed;
  const isActive = sql<boolean>`(expires_at IS NULL OR expires_at > ${now})`;
  return listed.where(active ? isActive : sql<boolean>`NOT ${isActive}`);
}

/** The writes of a transaction, and the reads that they need. */
export function createIocsWriter(tx: Db) {
  return {
    /** Stores the indicators that do not exist yet and returns their ids. Inserts in id order to avoid deadlocks. */
    async insertNew(iocs: readonly IocRow[]): Promise<Set<string>> {
      const inserted = new Set<string>();
      for (const some of toBatches(iocs.toSorted((a, b) => (a.id < b.id ? -1 : 1)))) {
        const rows = await tx
          .insertInto("iocs")
          .values(some)
          .onConflict((known) => known.column("id").doNothing())
          .returning("id")
          .execute();
        for (const { id } of rows) inserted.add(id);
      }
      return inserted;
    },

    /** The indicators, locked until the transaction ends. */
    async lock(ids: readonly string[]): Promise<IocRow[]> {
      const locked: IocRow[] = [];
      for (const some of toBatches(ids.filter(isUuid).toSorted())) {
        const rows = await tx
          .selectFrom("iocs")
          .select(ROW_COLUMNS)
          .where(sql<boolean>`id = ANY(${some}::uuid[])`)
          .orderBy("id")
          .forUpdate()
          .execute();
        locked.push(...rows);
      }
      return locked;
    },

    /** Updates locked indicators. `changed_by` makes processes that cache them read them again. */
    async update(iocs: readonly IocRow[]): Promise<void> {
      for (const some of toBatches(iocs)) {
        await tx
          .insertInto("iocs")
          .values(some)
          .onConflict((known) =>
            known.column("id").doUpdateSet((row) => ({
              confidence: row.ref("excluded.confidence"),
              severity: row.ref("excluded.severity"),
              tags: row.ref("excluded.tags"),
              tlp: row.ref("excluded.tlp"),
              first_seen: row.ref("excluded.first_seen"),
              last_seen: row.ref("excluded.last_seen"),
              expires_at: row.ref("excluded.expires_at"),
              searched_at: row.ref("excluded.searched_at"),
              updated_at: row.ref("excluded.updated_at"),
              changed_by: row.ref("excluded.changed_by"),
            })),
          )
          .execute();
      }
    },

    /** Returns false if another transaction has already deleted it. */
    async delete(id: string): Promise<boolean> {
      const { numDeletedRows } = await tx.deleteFrom("iocs").where("id", "=", id).executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
}

function toBatches<Item>(items: readonly Item[]): Item[][] {
  const chunks: Item[][] = [];
  for (let place = 0; place < items.length; place += ROWS_BATCH_SIZE)
    chunks.push(items.slice(place, place + ROWS_BATCH_SIZE));
  return chunks;
}

/** The read-only indicators of the showcase. */
export function createShowcaseIocsStore(iocs: readonly WholeIoc[]): IocsStore {
  const shown = iocs.map(({ seen_in: _, ...ioc }) => ioc);
  const plain = shown.map(({ searched_at: _, search_is_capped: __, ...ioc }) => ioc);
  return {
    list: async (query, now) => pageInMemory(plain, NEWEST_FIRST, query, (ioc) => isListed(ioc, query, now)),
    find: async (id) => shown.find((ioc) => ioc.id === id),
    findKnown: async (ids) => ids.filter((id) => shown.some((ioc) => ioc.id === id)),
    listHits: async (id, query) =>
      pageInMemory(iocs.find((ioc) => ioc.id === id)?.seen_in ?? [], NEWEST_HITS_FIRST, query),
    next: async (filter, now, after, limit) =>
      plain
        .filter((ioc) => isListed(ioc, filter, now) && (after === undefined || ioc.id > after))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
  };
}
