import { type ColumnType, type Generated, type SqlBool, sql } from "kysely";
import type { SiteName } from "../../foundation/caller/caller.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { countTotal } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { DEFAULT_LIMIT, decodeCursor, type Page, toPage } from "../../foundation/lists/page.ts";
import type { NewUser, User, UserRights } from "./user.ts";
import type { DirectoryQuery } from "./users.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    users: Omit<NewUser, "sites"> & {
      sites: ColumnType<readonly SiteName[] | null, string | null | undefined, string | null>;
      provider: Generated<string | null>;
      token_version: Generated<number>;
      created_at: Generated<Date>;
      updated_at: Generated<Date>;
    };
  }
}

export interface UsersStore {
  /** Compares names case-insensitively. */
  find(username: string): Promise<User | undefined>;
  findAll(usernames: readonly string[]): Promise<User[]>;
  /** The data that decides whether these users still have access, and to what. */
  findRights(usernames: readonly string[]): Promise<UserRights[]>;
  list(query: PageQuery): Promise<Page<User>>;
  /** The users who can sign in, or those who cannot. */
  listDirectory(query: DirectoryQuery): Promise<Page<User>>;
  /** Stores the user if there is no administrator. Returns whether it did. */
  insertFirst(user: NewUser): Promise<boolean>;
  hasAdmin(): Promise<boolean>;
  /** Gives the user a new token version, which invalidates all tokens and sessions. */
  raiseTokenVersion(username: string): Promise<void>;
}

export const ORDER = "username";

const NEXT_VERSION = sql<number>`nextval('token_versions')`;

export function createUsersStore(db: Db): UsersStore {
  const users = () => db.selectFrom("users").selectAll();

  async function readByName(query: PageQuery, selected: ReturnType<typeof users>): Promise<Page<User>> {
    const after = query.cursor && String(decodeCursor(ORDER, query.cursor)[0]);
    const rows = await selected
      .$if(after !== undefined, (page) => page.where("username", ">", after ?? ""))
      .orderBy("username")
      .offset(query.skip ?? 0)
      .limit((query.limit ?? DEFAULT_LIMIT) + 1)
      .execute();
    const total = await countTotal(db, selected);
    return toPage({ query, order: ORDER, rows, total, positionOf: ({ username }) => [username] });
  }

  return {
    find: (username) =>
      users()
        .where(sql`lower(username)`, "=", username.toLowerCase())
        // Two users who differ only in case may exist from before names became case-insensitive.
        .orderBy(sql`username = ${username}`, "desc")
        .limit(1)
        .executeTakeFirst(),

    findAll: (usernames) => users().where("username", "in", usernames).execute(),

    async findRights(usernames) {
      // One parameter and one value, whatever the number of users: reading thousands of rows takes several times as
      // long.
      const { rows } = await sql<{ found: UserRights[] }>`
        SELECT coalesce(json_agg(users), '[]') AS found
        FROM (SELECT username, role, disabled, token_version, sites FROM users WHERE username = ANY(${[...usernames]}))
          AS users`.execute(db);
      return rows[0]?.found ?? [];
    },

    list: (query) => readByName(query, users()),

    async listDirectory({ q, active = true, ...query }) {
      const listed = users().where("disabled", "=", !active);
      if (q === undefined) return readByName(query, listed);
      // strpos, not LIKE: the text is matched literally.
      const found = sql<SqlBool>`strpos(lower(username || ' ' || coalesce(email, '')), ${q.toLowerCase()}) > 0`;
      return readByName(query, listed.where(found));
    },

    async insertFirst({ username, role, email, disabled, password_hash }) {
      // Two processes that start concurrently may both see no administrator. ON CONFLICT lets one of them win,
      // whichever unique index conflicts.
      const { numAffectedRows } = await sql`
        INSERT INTO users (username, role, email, disabled, password_hash)
        SELECT ${username}, ${role}, ${email}, ${disabled}, ${password_hash}
        WHERE NOT EXISTS (SELECT FROM users WHERE role = 'admin')
        ON CONFLICT DO NOTHING`.execute(db);
      return numAffectedRows === 1n;
    },

    async hasAdmin() {
      return (await users().where("role", "=", "admin").limit(1).execute()).length > 0;
    },

    async raiseTokenVersion(username) {
      await db.updateTable("users").set({ token_version: NEXT_VERSION }).where("username", "=", username).execute();
    },
  };
}

/** The writes of a transaction, and the lock that they need. */
export function createUsersWriter(tx: Db) {
  return {
    /** Undefined if the name is taken. */
    insert: (user: NewUser, provider?: string): Promise<User | undefined> =>
      tx
        .insertInto("users")
        .values({ ...withStoredSites(user), provider: provider ?? null })
        .onConflict((taken) => taken.doNothing())
        .returningAll()
        .executeTakeFirst(),

    update: (username: string, changed: Partial<Omit<NewUser, "username">>): Promise<User | undefined> =>
      tx
        .updateTable("users")
        .set({ ...withStoredSites(changed), updated_at: sql`now()` })
        .where("username", "=", username)
        .returningAll()
        .executeTakeFirst(),

    /** Returns whether the user existed. */
    async delete(username: string): Promise<boolean> {
      const { numDeletedRows } = await tx.deleteFrom("users").where("username", "=", username).executeTakeFirst();
      return numDeletedRows === 1n;
    },

    /** Locks the users until the transaction ends. */
    async lock(usernames: readonly string[]): Promise<User[]> {
      if (usernames.length === 0) return [];
      const users = tx.selectFrom("users").selectAll().where("username", "in", usernames);
      // Lock rows in one order to avoid deadlocks.
      return users.orderBy("username").forUpdate().execute();
    },

    /** Removes the site from all users who work for it. Users without another site see nothing afterwards. */
    async leaveSite(site_id: string): Promise<void> {
      await sql`
        UPDATE users SET sites = (
          SELECT coalesce(jsonb_agg(site), '[]') FROM jsonb_array_elements(sites) AS site WHERE site->>'id' <> ${site_id}
        ) WHERE sites @> jsonb_build_array(jsonb_build_object('id', ${site_id}::text))`.execute(tx);
    },

    /** Locks the administrators of all sites who can sign in until the transaction ends, and returns their names. */
    async lockAdmins(): Promise<string[]> {
      const admins = await tx
        .selectFrom("users")
        .select("username")
        .where("role", "=", "admin")
        .where("disabled", "=", false)
        // An administrator restricted to sites cannot manage users.
        .where("sites", "is", null)
        // Lock rows in one order to avoid deadlocks.
        .orderBy("username")
        .forUpdate()
        .execute();
      return admins.map(({ username }) => username);
    },
  };
}

/** The driver would send a list as a PostgreSQL array, not as JSON. */
function withStoredSites<Fields extends Pick<NewUser, "sites">>({ sites, ...fields }: Fields) {
  return { ...fields, ...(sites !== undefined && { sites: sites && JSON.stringify(sites) }) };
}
