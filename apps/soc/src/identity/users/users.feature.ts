import type { Base, Registrations } from "../../foundation/base.ts";
import type { FindSites } from "../../foundation/caller/caller.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import { createFinder } from "../../foundation/search/finder.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { ARGON2_PASSWORDS, DUMMY_HASH, type Passwords } from "./passwords.ts";
import { createProvidedUsersService, type ManagedNames } from "./provided-users.service.ts";
import { createProvisionedUsersService } from "./provisioned-users.service.ts";
import { usersRoutes } from "./users.routes.ts";
import { createFirstAdmin, createUsersService, type FirstUserStore } from "./users.service.ts";
import { createShowcaseUsersStore } from "./users.showcase.ts";
import { createUsersStore, createUsersWriter, type UsersStore } from "./users.store.ts";

export interface FirstAdmin {
  password: string;
  /** Shows the password to the operator. Called only if the administrator did not exist. */
  onCreated(password: string): Promise<void>;
}

export interface UsersNeeds {
  findSites: FindSites;
  /** The administrator of a platform without users; undefined in a process that creates none. */
  firstAdmin: FirstAdmin | undefined;
  /** The only user who may sign in with a password; undefined if all users may. */
  breakGlassUser?: string | undefined;
  managedNames: ManagedNames;
  minPasswordLength?: number;
  passwords?: Passwords;
}

export function createUsers(base: Base, { managedNames, passwords = ARGON2_PASSWORDS, ...needs }: UsersNeeds) {
  const { firstAdmin, breakGlassUser, findSites, minPasswordLength } = needs;
  const { db, runtime, changes, audit, clock, log } = base;
  const showcase = createShowcaseUsersStore(clock);
  const users = createUsersService({
    runtime,
    stores: { database: createUsersStore(db), showcase },
    findSites,
    audit,
    passwords,
    breakGlassUser,
    ...(minPasswordLength !== undefined && { minPasswordLength }),
  });

  async function ensureAdmin(store: FirstUserStore): Promise<void> {
    if (!firstAdmin) return;
    const isCreated = await createFirstAdmin(store, passwords, firstAdmin.password);
    if (isCreated) await firstAdmin.onCreated(firstAdmin.password);
  }

  async function warnWithoutBreakGlass(store: UsersStore): Promise<void> {
    if (breakGlassUser === undefined) return;
    const user = await store.find(breakGlassUser);
    if (user?.role === "admin" && !user.disabled) return;
    log.warn({ user: breakGlassUser }, "the break-glass user is not an administrator who can sign in");
  }

  return {
    services: {
      users,
      provided: createProvidedUsersService({ managedNames, findSites, breakGlassUser, audit, clock }),
      provisioned: createProvisionedUsersService({ audit, breakGlassUser }),
      /** Creates the administrator of the showcase when the platform runs without a database. */
      async ensureShowcaseAdmin(): Promise<void> {
        if ((await runtime.truth()).uses_showcase_data) await ensureAdmin(showcase);
      },
    },
    registrations: {
      routes: [usersRoutes(users, changes)],
      /** The passwords are unknown: an administrator must set one before such a user can sign in. */
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
      async onFirstAnswer(answering: Db): Promise<void> {
        const store = createUsersStore(answering);
        await ensureAdmin(store);
        await warnWithoutBreakGlass(store);
      },
    } satisfies Registrations,
  };
}

/** Removes a deleted site from its users. A separate function, because sites and users depend on each other. */
export async function leaveSite(tx: Tx, site_id: string): Promise<void> {
  await createUsersWriter(tx).leaveSite(site_id);
}
