import type { Base } from "../../foundation/base.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import { createFinder } from "../../foundation/search/finder.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { ARGON2_PASSWORDS, DUMMY_HASH, type Passwords } from "./passwords.ts";
import { usersRoutes } from "./users.routes.ts";
import { createFirstAdmin, createUsersService, type FirstUserStore } from "./users.service.ts";
import { createShowcaseUsersStore } from "./users.showcase.ts";
import { createUsersStore, createUsersWriter } from "./users.store.ts";

export interface FirstAdmin {
  password: string;
  /** Shows the operator the password. Called only if the administrator did not exist. */
  onCreated(password: string): Promise<void>;
}

export interface UsersNeeds {
  /** The administrator of a platform without users; undefined in a process that creates none. */
  firstAdmin: FirstAdmin | undefined;
  passwords?: Passwords;
}

export function createUsers(base: Base, { firstAdmin, passwords = ARGON2_PASSWORDS }: UsersNeeds) {
  const { db, runtime, changes, audit, clock } = base;
  const showcase = createShowcaseUsersStore(clock);
  const users = createUsersService({
    runtime,
    stores: { database: createUsersStore(db), showcase },
    audit,
    passwords,
  });

  async function ensureAdmin(store: FirstUserStore): Promise<void> {
    if (!firstAdmin) return;
    const isCreated = await createFirstAdmin(store, passwords, firstAdmin.password);
    if (isCreated) await firstAdmin.onCreated(firstAdmin.password);
  }

  return {
    users,
    routes: [usersRoutes(users, changes)],
    /** No password is known: to sign in as one of them, an administrator sets a password first. */
    async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
      const writer = createUsersWriter(tx);
      for (const user of showcase.users) await writer.insert({ ...user, password_hash: DUMMY_HASH });
    },
    finders: [
      createFinder("user", "authenticated", async (_caller, q, limit) => {
        const { items } = await users.listDirectory({ q, limit });
        return items.map(({ username, role }) => ({ id: username, title: username, subtitle: role, at: null }));
      }),
    ],
    onFirstAnswer: (answering: Db) => ensureAdmin(createUsersStore(answering)),

    /** Creates the administrator of the showcase when the platform runs without a database. */
    async ensureShowcaseAdmin(): Promise<void> {
      if ((await runtime.truth()).uses_showcase_data) await ensureAdmin(showcase);
    },
  };
}
