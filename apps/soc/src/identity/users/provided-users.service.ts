import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Role } from "../../foundation/caller/permissions.ts";
import type { FindSites } from "../../foundation/caller/scope.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { refuseToLoseLastAdmin } from "./last-admin.ts";
import { DUMMY_HASH } from "./passwords.ts";
import type { User } from "./user.ts";
import { createUserIdentitiesStore } from "./user-identities.store.ts";
import { createUsersStore, createUsersWriter } from "./users.store.ts";

/** A user as a provider proves it. */
export interface ProvidedUser {
  provider: string;
  subject: string;
  username: string;
  email: string | null;
  role: Role;
  /** Ids or names of the sites that the groups give; null for all sites. */
  sites: readonly string[] | null;
}

/** By which names a provider that manages its users knows their accounts. */
export interface ManagedNames {
  findAccount(tx: Tx, provider: string, name: string): Promise<string | undefined>;
  isManaged(tx: Tx, provider: string, username: string): Promise<boolean>;
}

export interface ProvidedUsersServiceDeps {
  managedNames: ManagedNames;
  findSites: FindSites;
  /** An administrator whom no provider may become. */
  breakGlassUser: string | undefined;
  audit: Recorder;
  clock: Pick<Clock, "now">;
}

export type ProvidedUsersService = ReturnType<typeof createProvidedUsersService>;

/** The users who come from a provider: created at their first sign-in, with new rights at each. */
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

  /** A site that the operator named and that does not exist gives nothing. */
  const find = async (tx: Tx, sites: readonly string[] | null) => sites && findSites(tx, sites);

  async function create(tx: Tx, { provider, username, email, role, sites }: ProvidedUser): Promise<User> {
    if (username.toLowerCase() === breakGlassUser?.toLowerCase()) throw refuseOther({ username });
    // The hash of no known password.
    const user = { username, role, email, disabled: false, password_hash: DUMMY_HASH, sites: await find(tx, sites) };
    const created = await createUsersWriter(tx).insert(user, provider);
    // Another process created the user concurrently.
    if (!created) throw new Problem("conflict", `user '${username}' exists already; sign in again`);
    await record(tx, provider, "user.created", username, { role, email });
    return created;
  }

  /**
   * The user of that name: the one whom the provider calls so now, or an account that no provider manages. A managed account
   * may still have the name that its user had before.
   */
  async function findNamed(tx: Tx, { provider, username }: ProvidedUser): Promise<User | undefined> {
    const account = await managedNames.findAccount(tx, provider, username);
    const known = await createUsersStore(tx).find(account ?? username);
    if (known && account === undefined && (await managedNames.isManaged(tx, provider, known.username)))
      throw refuseOther(known);
    return known;
  }

  /** The user of the first sign-in. A user of the same name who does not come from the provider is another person. */
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
    if (!updated) throw new Problem("conflict", `user '${user.username}' was deleted meanwhile; sign in again`);
    await record(tx, provider, "user.updated", user.username, { role, email, ...(sites && { sites }) });
    return updated;
  }

  return {
    /** The user whom the provider has proved, with the role that the groups give now. Throws when access has ended. */
    async admit(tx: Tx, provided: ProvidedUser): Promise<User> {
      const identity = await createUserIdentitiesStore(tx).find(provided.provider, provided.subject);
      const found = identity && (await createUsersStore(tx).findAll([identity.username]))[0];
      const user = found ?? (await link(tx, provided));
      if (user.disabled) throw new Problem("forbidden", `user '${user.username}' is disabled`);
      return refreshRights(tx, user, provided);
    },

    /** The name of the user whom the provider knows by this subject. */
    async findName(tx: Tx, provider: string, subject: string): Promise<string | undefined> {
      return (await createUserIdentitiesStore(tx).find(provider, subject))?.username;
    },
  };
}

function refuseOther({ username }: Pick<User, "username">): Problem {
  return new Problem("conflict", `user '${username}' exists already and is not yours; ask an administrator`);
}
