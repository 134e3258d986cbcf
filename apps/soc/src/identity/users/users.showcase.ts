import type { Clock } from "@kit/clock";
import { toPage } from "../../foundation/lists/page.ts";
import type { User } from "./user.ts";
import { ORDER, type UsersStore } from "./users.store.ts";

/** The only user of the showcase: in memory, lost when the process ends. */
export function createShowcaseUsersStore(clock: Pick<Clock, "now">): UsersStore {
  let only: User | undefined;
  const find = async (username: string) => (only?.username === username ? only : undefined);
  return {
    find,
    async list(query) {
      const rows = only && !query.skip && !query.cursor ? [only] : [];
      return toPage({
        query,
        order: ORDER,
        rows,
        total: { total: only ? 1 : 0 },
        positionOf: ({ username }) => [username],
      });
    },
    async insertFirst(user) {
      if (only) return false;
      // Lower than every version in the database, so a token of the showcase is never valid for a real user.
      only = { ...user, token_version: 0, created_at: clock.now(), updated_at: clock.now() };
      return true;
    },
    isEmpty: async () => only === undefined,
    async raiseTokenVersion(username) {
      const user = await find(username);
      if (user) user.token_version -= 1;
    },
  };
}
