import type { Base } from "../../foundation/base.ts";
import type { Feature } from "../../foundation/feature.ts";
import { ARGON2_PASSWORDS, type Passwords } from "./passwords.ts";
import { usersRoutes } from "./users.routes.ts";
import { createUsersService, type FirstUserStore } from "./users.service.ts";
import { createShowcaseUsersStore, createUsersStore } from "./users.store.ts";

export interface UsersNeeds {
  /** Makes sure that an administrator can sign in. */
  ensureAdmin: (users: FirstUserStore) => Promise<void>;
  passwords?: Passwords;
}

export function createUsers(base: Base, { ensureAdmin, passwords = ARGON2_PASSWORDS }: UsersNeeds) {
  const { db, runtime, changes, audit, clock } = base;
  const showcase = createShowcaseUsersStore(clock);
  const users = createUsersService({
    runtime,
    stores: { database: createUsersStore(db), showcase },
    audit,
    passwords,
  });
  return {
    users,
    routes: [usersRoutes(users, changes)],
    onFirstAnswer: (answering) => ensureAdmin(createUsersStore(answering)),

    /** Without a database the administrator signs in to the showcase. */
    async ensureShowcaseAdmin(): Promise<void> {
      if ((await runtime.truth()).uses_showcase_data) await ensureAdmin(showcase);
    },
  } satisfies Feature & Record<string, unknown>;
}
