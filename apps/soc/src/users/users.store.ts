import { sql } from "kysely";
import type { Db } from "../adapters/postgres.ts";
import type { User } from "./user.ts";

export interface UsersStore {
  find(username: string): Promise<User | undefined>;
  /** Stores the user if there is none at all yet. Answers whether it did. */
  insertFirst(user: User): Promise<boolean>;
}

export function createUsersStore(db: Db): UsersStore {
  return {
    find: (username) =>
      db
        .selectFrom("users")
        .select(["username", "role", "password_hash", "disabled"])
        .where("username", "=", username)
        .executeTakeFirst(),

    async insertFirst({ username, role, password_hash, disabled }) {
      // Two processes that start at once may both see an empty table; the conflict lets one of them win.
      const { numAffectedRows } = await sql`
        INSERT INTO users (username, role, password_hash, disabled)
        SELECT ${username}, ${role}, ${password_hash}, ${disabled} WHERE NOT EXISTS (SELECT FROM users)
        ON CONFLICT (username) DO NOTHING`.execute(db);
      return numAffectedRows === 1n;
    },
  };
}

/** The users of the showcase: one, in memory, gone with the process. */
export function createShowcaseUsersStore(): UsersStore {
  const users = new Map<string, User>();
  return {
    find: async (username) => users.get(username),
    async insertFirst(user) {
      if (users.size > 0) return false;
      users.set(user.username, user);
      return true;
    },
  };
}
