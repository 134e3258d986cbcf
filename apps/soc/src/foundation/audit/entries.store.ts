import { type SqlBool, sql } from "kysely";
import type { Db } from "../database/tables.ts";
import { readPage } from "../lists/keyset.ts";
import { pageInMemory } from "../lists/order.ts";
import type { Page } from "../lists/page.ts";
import type { AuditEntryBody, AuditFilter, AuditQuery } from "./audit.schema.ts";
import { matches, NEWEST_FIRST } from "./audit.ts";

export interface EntriesStore {
  /** Newest first. If nouns are given, only entries whose action begins with one of them. */
  list(query: AuditQuery, nouns?: readonly string[]): Promise<Page<AuditEntryBody>>;
  /** The entries after the given one, oldest first. */
  next(filter: AuditFilter, after: AuditEntryBody | undefined, limit: number): Promise<AuditEntryBody[]>;
}

export function createEntriesStore(db: Db): EntriesStore {
  return {
    list(query, nouns) {
      const entries = selectMatching(db, query);
      const listed = nouns ? entries.where(sql`split_part(action, '.', 1)`, "in", nouns) : entries;
      return readPage(db, listed, NEWEST_FIRST, query);
    },

    async next(filter, after, limit) {
      const entries = selectMatching(db, filter).orderBy("at").orderBy("id").limit(limit);
      if (!after) return entries.execute();
      return entries.where(sql<SqlBool>`(at, id) > (${after.at}, ${after.id})`).execute();
    },
  };
}

function selectMatching(db: Db, { from, to, ...fields }: AuditFilter) {
  let entries = db
    .selectFrom("audit_log")
    .select(["id", "at", "actor", "action", "subject_type", "subject_id", "details"]);
  for (const field of ["actor", "action", "subject_type", "subject_id"] as const) {
    const value = fields[field];
    if (value !== undefined) entries = entries.where(field, "=", value);
  }
  if (from !== undefined) entries = entries.where("at", ">=", new Date(from));
  if (to !== undefined) entries = entries.where("at", "<", new Date(to));
  return entries;
}

/** The same reads over entries in memory; `entries` is sorted oldest first. */
export function createShowcaseEntriesStore(entries: readonly AuditEntryBody[]): EntriesStore {
  return {
    async list(query, nouns) {
      const isNamed = ({ action }: AuditEntryBody) => nouns?.includes(action.split(".", 1)[0] ?? "") ?? true;
      const found = entries.filter((entry) => matches(query, entry) && isNamed(entry));
      return pageInMemory(found, NEWEST_FIRST, query);
    },

    async next(filter, after, limit) {
      const found = entries.filter((entry) => matches(filter, entry));
      const start = found.findIndex(({ id }) => id === after?.id) + 1;
      return found.slice(start, start + limit);
    },
  };
}
