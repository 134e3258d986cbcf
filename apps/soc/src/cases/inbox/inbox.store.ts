import { type RawBuilder, type SqlBool, sql } from "kysely";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import { areInScope, isInScope } from "../../foundation/caller/in-scope.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { InboxCount, InboxQuery } from "./inbox.schema.ts";
import { type InboxItem, type InboxKind, NEWEST_FIRST } from "./inbox-item.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    inbox_items: InboxItem & { username: string; cause: string };
  }
}

/** The user and the item types that the user may see. */
export interface Owner {
  username: string;
  kinds: readonly InboxKind[];
}

export interface InboxStore {
  list(scope: Scope, owner: Owner, query: InboxQuery): Promise<Page<InboxItem>>;
  countUnread(scope: Scope, owner: Owner): Promise<InboxCount>;
}

const COLUMNS = ["id", "kind", "subject_type", "subject_id", "title", "actor", "at", "read_at"] as const;

export function createInboxStore(db: Db): InboxStore {
  return {
    list(scope, { username, kinds }, { kind, unread, ...query }) {
      const wanted = kinds.filter((each) => kind?.includes(each) ?? true);
      const items = db.selectFrom("inbox_items").select(COLUMNS).where("username", "=", username);
      const listed = items.where(isSeen(scope)).where("kind", "=", sql<InboxKind>`ANY(${wanted}::text[])`);
      if (unread === undefined) return readPage<InboxItem>(db, listed, NEWEST_FIRST, query);
      return readPage<InboxItem>(db, listed.where("read_at", unread ? "is" : "is not", null), NEWEST_FIRST, query);
    },

    async countUnread(scope, { username, kinds }) {
      const rows = await db
        .selectFrom("inbox_items")
        .select((items) => ["kind", items.fn.countAll<string>().as("count")])
        .where("username", "=", username)
        .where(isSeen(scope))
        .where("read_at", "is", null)
        .where("kind", "=", sql<InboxKind>`ANY(${[...kinds]}::text[])`)
        .groupBy("kind")
        .execute();
      const by_kind = Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)]));
      return { unread: Object.values(by_kind).reduce((sum, count) => sum + count, 0), by_kind };
    },
  };
}

/** Is true if the item is about a record of the scope. Items other than alerts and cases need all sites. */
function isSeen(scope: Scope): RawBuilder<SqlBool> {
  if (scope === ALL_SITES) return sql`true`;
  return sql`CASE subject_type
    WHEN 'alert' THEN EXISTS (SELECT FROM alerts WHERE alerts.id = subject_id::uuid AND ${isInScope(scope, "alerts.site")})
    WHEN 'case' THEN EXISTS (SELECT FROM cases WHERE cases.id = subject_id::uuid AND ${areInScope(scope, "cases.sites")})
    ELSE false END`;
}

export type NewItem = Omit<InboxItem, "read_at"> & { username: string; cause: string };

export function createInboxWriter(tx: Db) {
  return {
    /**
     * Adds the items of users who exist and can sign in, and returns the users of those it added. An item with the same
     * cause is not added again.
     */
    async insert(items: readonly NewItem[]): Promise<string[]> {
      if (items.length === 0) return [];
      const { rows } = await sql<{ username: string }>`
        INSERT INTO inbox_items (id, username, kind, subject_type, subject_id, title, actor, at, cause)
        SELECT id, username, kind, subject_type, subject_id, title, actor, at, cause
        FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS given (id uuid, username text, kind text,
          subject_type text, subject_id text, title text, actor text, at timestamptz, cause text)
        JOIN users USING (username) WHERE NOT users.disabled
        ON CONFLICT (username, cause) DO NOTHING RETURNING username`.execute(tx);
      return [...new Set(rows.map(({ username }) => username))];
    },

    /** Lists users with one of the roles who can sign in. */
    async listUsers(roles: readonly string[], limit: number): Promise<string[]> {
      const { rows } = await sql<{ username: string }>`
        SELECT username FROM users WHERE role = ANY(${[...roles]}::text[]) AND NOT disabled
        ORDER BY username LIMIT ${limit}`.execute(tx);
      return rows.map(({ username }) => username);
    },

    /** Returns the names that are users who can sign in. */
    async filterUsers(usernames: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ username: string }>`
        SELECT username FROM users WHERE username = ANY(${[...usernames]}::text[]) AND NOT disabled`.execute(tx);
      return rows.map(({ username }) => username);
    },

    /** Removes pending items for these approvals and returns their users. */
    async deleteWaiting(approval_ids: readonly string[]): Promise<string[]> {
      const rows = await tx
        .deleteFrom("inbox_items")
        .where("kind", "=", "waiting")
        .where("subject_id", "=", sql<string>`ANY(${[...approval_ids]}::text[])`)
        .returning("username")
        .execute();
      return [...new Set(rows.map(({ username }) => username))];
    },

    /** Marks unread items as read, or all of them without ids; returns the number. */
    async markRead(scope: Scope, username: string, ids: readonly string[] | undefined, now: Date): Promise<number> {
      const unread = tx
        .updateTable("inbox_items")
        .set({ read_at: now })
        .where("username", "=", username)
        .where(isSeen(scope))
        .where("read_at", "is", null);
      const marked = ids ? unread.where("id", "in", ids) : unread;
      return Number((await marked.executeTakeFirst()).numUpdatedRows);
    },

    /** Deletes up to `limit` items that are older, or beyond the newest `most` of a user; returns the number. */
    async deleteOld(before: Date, most: number, limit: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM inbox_items WHERE id IN (
          SELECT id FROM (
            SELECT id, at, row_number() OVER (PARTITION BY username ORDER BY at DESC, id DESC) AS place FROM inbox_items
          ) AS placed WHERE at < ${before} OR place > ${most} LIMIT ${limit}
        )`.execute(tx);
      return Number(numAffectedRows);
    },
  };
}
