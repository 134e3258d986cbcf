import type { Clock } from "@kit/clock";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { type Page, toPage } from "../../foundation/lists/page.ts";
import type { User } from "./user.ts";
import { ORDER, type UsersStore } from "./users.store.ts";

/** The only user of the showcase: in memory, lost when the process ends. */
export function createShowcaseUsersStore(clock: Pick<Clock, "now">): UsersStore {
  let only: User | undefined;
  const find = async (username: string) => (only?.username === username ? only : undefined);
  async function list(query: PageQuery): Promise<Page<User>> {
    const rows = only && !query.skip && !query.cursor ? [only] : [];
    const total = { total: only ? 1 : 0 };
    return toPage({ query, order: ORDER, rows, total, positionOf: ({ username }) => [username] });
  }

  return {
    find,
    findAll: async (usernames) => (only && usernames.includes(only.username) ? [only] : []),
    findRights: async (usernames) => (only && usernames.includes(only.username) ? [only] : []),
    list,
    // The only user is active.
    listDirectory: ({ active = true, ...query }) => list(active ? query : { ...query, skip: 1 }),
    async insertFirst(user) {
      if (only) return false;
      // Lower than every version in the database, so a token of the showcase is never valid for a real user.
      only = {
        ...user,
        sites: null,
        provider: null,
        token_version: 0,
        created_at: clock.now(),
        updated_at: clock.now(),
      };
      return true;
    },
    hasAdmin: async () => only !== undefined,
    async raiseTokenVersion(username) {
      const user = await find(username);
      if (user) user.token_version -= 1;
    },
  };
}
