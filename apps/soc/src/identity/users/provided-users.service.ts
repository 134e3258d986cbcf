import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { FindSites } from "../../foundation/caller/caller.ts";
import type { Role } from "../../foundation/caller/permissions.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { refuseToLoseLastAdmin } from "./last-admin.ts";
import { DUMMY_HASH } from "./passwords.ts";
import type { User } from "./user.ts";
import { createUserIdentitiesStore } from "./user-identities.store.ts";
import { createUsersStore, createUsersWriter } from "./users.store.ts";

/** A user as authenticated by a provider. */
export interface ProvidedUser {
  provider: string;
  subject: string;
  username: string;
  email: string | null;
  role: Role;
  /** Ids or names of the sites that the groups grant; null for all sites. */
  sites: readonly string[] | null;
}

/** The names by which a provider that manages its users knows their accounts. */
export interface ManagedNames {
  findAccount(tx: Tx, provider: string, name: string): Promise<string | undefined>;
  isManaged(tx: Tx, provider: string, username: string): Promise<boolean>;
}

export interface ProvidedUsersServiceDeps {
  managedNames: ManagedNames;
  findSites: FindSites;
  /** An administrator account that no provider may take over. */
  breakGlassUser: string | undefined;
  audit: Recorder;
  clock: Pick<Clock, "now">;
}

export type ProvidedUsersService = ReturnType<typeof createProvidedUsersService>;

/** The users of providers: created at their first sign-in, with updated rights at each sign-in. */
export function createProvidedUsersService(deps: ProvidedUsersServiceDeps) {
  const { managedNames, findSites, breakGlassUser, audit, clock } = deps;

  function record(tx: Tx, provider: string, action: string, username: string, details: object): Promise<void> {
    return audit.record(tx, {
      actor: `oidc:${provider}`,
      action,
      subject_type: "user",
      subject_id: username,
      details: { ...details, provider },
    });
  }

  /** A configured site that does not exist grants nothing. */
  const find = async (tx: Tx, sites: readonly string[] | null) => sites && findSites(tx, sites);

  async function create(tx: Tx, { provider, username, email, role, sites }: ProvidedUser): Promise<User> {
    if (username.toLowerCase() === breakGlassUser?.toLowerCase()) throw refuseOther({ username });
    // The hash of an unknown password.
    const user = { username, role, email, disabled: false, password_hash: DUMMY_HASH, sites: await find(tx, sites) };
    const created = await createUsersWriter(tx).insert(user, provider);
    // Another process created the user concurrently.
    if (!created) throw new Problem("conflict", `user '${username}' already exists; sign in again`);
    await record(tx, provider, "user.created", username, { role, email });
    return created;
  }

  /**
   * Returns the user with this name: the one who has this name at the provider now, or an account that no provider
   * manages. A managed account may still have a previous name of its user.
   */
  async function findNamed(tx: Tx, { provider, username }: ProvidedUser): Promise<User | undefined> {
    const account = await managedNames.findAccount(tx, provider, username);
    const known = await createUsersStore(tx).find(account ?? username);
    if (known && account === undefined && (await managedNames.isManaged(tx, provider, known.username)))
      throw refuseOther(known);
    return known;
  }

  /** Links the user at the first sign-in. A local user with the same name is another person. */
  async function link(tx: Tx, provided: ProvidedUser): Promise<User> {
    const { provider, subject } = provided;
    const identities = createUserIdentitiesStore(tx);
    const known = await findNamed(tx, provided);
    if (known && (known.provider !== provider || (await identities.hasAny(provider, known.username)))) {
      throw refuseOther(known);
    }
    const user = known ?? (await create(tx, provided));
    await identities.insert({ provider, subject, username: user.username, created_at: clock.now() });
    return user;
  }

  async function refreshRights(tx: Tx, user: User, { provider, email, role, ...given }: ProvidedUser): Promise<User> {
    const sites = await find(tx, given.sites);
    if (user.role === role && user.email === email && isDeepStrictEqual(user.sites, sites)) return user;
    if (user.role === "admin" && (role !== "admin" || sites)) await refuseToLoseLastAdmin(tx, user.username);
    const updated = await createUsersWriter(tx).update(user.username, { role, email, sites });
    if (!updated) throw new Problem("conflict", `user '${user.username}' was deleted in the meantime; sign in again`);
    await record(tx, provider, "user.updated", user.username, { role, email, ...(sites && { sites }) });
    return updated;
  }

  return {
    /**
     * Returns the user whom the provider authenticated, with the role of the current groups. Throws if access has
     * ended.
     */
    async admit(tx: Tx, provided: ProvidedUser): Promise<User> {
      const identity = await createUserIdentitiesStore(tx).find(provided.provider, provided.subject);
      const found = identity && (await createUsersStore(tx).findAll([identity.username]))[0];
      const user = found ?? (await link(tx, provided));
      if (user.disabled) throw new Problem("forbidden", `user '${user.username}' is disabled`);
      return refreshRights(tx, user, provided);
    },

    /** Returns the name of the user whom the provider identifies by this subject. */
    async findName(tx: Tx, provider: string, subject: string): Promise<string | undefined> {
      return (await createUserIdentitiesStore(tx).find(provider, subject))?.username;
    },
  };
}

function refuseOther({ username }: Pick<User, "username">): Problem {
  return new Problem("conflict", `user '${username}' already exists and is not yours; ask an administrator`);
}
