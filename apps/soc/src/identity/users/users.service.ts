import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, type FindSites, isSameScope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeTruthBody } from "../../foundation/runtime/runtime.schema.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { refuseToLoseLastAdmin } from "./last-admin.ts";
import { DUMMY_HASH, type Passwords } from "./passwords.ts";
import { resolveSites } from "./resolve-sites.ts";
import { toCallerSites, type User } from "./user.ts";
import type {
  CreateUserRequest,
  DirectoryQuery,
  DirectoryUserBody,
  UpdateUserRequest,
  UserBody,
} from "./users.schema.ts";
import { createUsersStore, createUsersWriter, type UsersStore } from "./users.store.ts";

export interface UsersServiceDeps {
  runtime: Pick<RuntimeService, "truth" | "choose">;
  stores: { database: UsersStore; showcase: UsersStore };
  findSites: FindSites;
  audit: Recorder;
  passwords: Passwords;
  /** The administrator of last resort, who has a password in any case. */
  breakGlassUser?: string | undefined;
  minPasswordLength?: number;
}
export type UsersService = ReturnType<typeof createUsersService>;

export interface LookedUp {
  user: User | undefined;
  /** Where the user was read; "unavailable" means the cache of users last read from the database. */
  source: RuntimeTruthBody["read_data_source"];
}

export function createUsersService(deps: UsersServiceDeps) {
  const { runtime, stores, findSites, audit, passwords, breakGlassUser, minPasswordLength = 8 } = deps;
  // Holds only users that exist in the table, so it is never larger than the table.
  const lastSeen = new Map<string, User>();

  async function lookUpIn(source: LookedUp["source"], username: string): Promise<LookedUp> {
    if (source === "unavailable") return { user: lastSeen.get(username), source };
    const user = await stores[source].find(username);
    if (source === "showcase") return { user: user ?? lastSeen.get(username), source };
    if (user) lastSeen.set(user.username, user);
    else lastSeen.delete(username);
    return { user, source };
  }

  async function lookUp(username: string): Promise<LookedUp> {
    const { read_data_source: source } = await runtime.truth();
    try {
      return await lookUpIn(source, username);
    } catch (error) {
      // The database may have become unavailable after the check.
      const { read_data_source: now } = await runtime.truth();
      if (now === source) throw error;
      return lookUpIn(now, username);
    }
  }

  function requireGoodPassword(field: string, username: string, password: string | undefined): void {
    if (password === undefined) return;
    if (password.length < minPasswordLength)
      throw invalidField(field, `must have at least ${minPasswordLength} characters`);
    if (password.toLowerCase() === username.toLowerCase()) throw invalidField(field, "must not be the user name");
  }

  function record(tx: Tx, caller: Caller, action: string, username: string, details: object): Promise<void> {
    return audit.record(tx, { actor: caller.username, action, subject_type: "user", subject_id: username, details });
  }

  /** A password here would bypass the second factor of the provider. */
  function refuseForProvided({ username, provider }: User, password: string | undefined): void {
    if (password === undefined || provider === null || username === breakGlassUser) return;
    throw new Problem("conflict", `password: user '${username}' signs in through provider '${provider}'`);
  }

  return {
    lookUp,

    /** For work that outlives a request; see `RefreshCallers`. Without a database nothing can have changed. */
    async refreshCallers(callers: readonly Caller[]): Promise<Map<Caller, Caller>> {
      const { read_data_source: source } = await runtime.truth();
      if (source !== "database" || callers.length === 0) return new Map(callers.map((caller) => [caller, caller]));
      const found = await stores.database.findRights([...new Set(callers.map(({ username }) => username))]);
      const users = new Map(found.map((user) => [user.username, user]));
      const current = new Map<Caller, Caller>();
      for (const caller of callers) {
        const user = users.get(caller.username);
        if (!user || user.disabled || user.token_version !== caller.token_version) continue;
        if (!isSameScope(toScope(caller), toScope(toCallerSites(user)))) continue;
        current.set(caller, caller.role === user.role ? caller : { ...caller, role: user.role });
      }
      return current;
    },

    async findByPassword(username: string, password: string): Promise<User | undefined> {
      const { user, source } = await lookUp(username);
      if (source === "unavailable") throw new Problem("unavailable", "the database is unavailable");
      // Prevents a timing side channel: an unknown name takes as long as a wrong password.
      const isRight = await passwords.isRight(user?.password_hash ?? DUMMY_HASH, password);
      return isRight && user && !user.disabled ? user : undefined;
    },

    async endTokens(username: string): Promise<void> {
      await (await runtime.choose(stores)).raiseTokenVersion(username);
    },

    async endTokensIn(tx: Tx, username: string): Promise<void> {
      await createUsersStore(tx).raiseTokenVersion(username);
    },

    async me({ username }: Caller): Promise<UserBody> {
      const { user } = await lookUp(username);
      if (!user) throw notFound("user", username);
      return toUserBody(user);
    },

    async list(query: PageQuery): Promise<Page<UserBody>> {
      const page = await (await runtime.choose(stores)).list(query);
      return { ...page, items: page.items.map(toUserBody) };
    },

    async create(tx: Tx, caller: Caller, request: CreateUserRequest): Promise<UserBody> {
      const { username, password, role, email = null, disabled = false } = request;
      requireGoodPassword("password", username, password);
      const password_hash = await passwords.hash(password);
      const sites = await resolveSites(tx, findSites, request.sites ?? null);
      const created = await createUsersWriter(tx).insert({ username, role, email, disabled, password_hash, sites });
      if (!created) throw new Problem("conflict", `username: user '${username}' already exists`);
      await record(tx, caller, "user.created", username, { role, email, disabled, ...(sites && { sites }) });
      return toUserBody(created);
    },

    async update(tx: Tx, caller: Caller, username: string, request: UpdateUserRequest): Promise<UserBody> {
      if (Object.keys(request).length === 0) {
        throw invalidField("body", "must have password, role, email, disabled or sites");
      }
      const { password, sites, ...other } = request;
      const limited = sites === undefined ? {} : { sites: await resolveSites(tx, findSites, sites) };
      const changed = { ...other, ...limited };
      if (endsAdmin(changed)) await refuseToLoseLastAdmin(tx, username);
      requireGoodPassword("password", username, password);
      const secret = password === undefined ? {} : { password_hash: await passwords.hash(password) };
      const updated = await createUsersWriter(tx).update(username, { ...changed, ...secret });
      if (!updated) throw notFound("user", username);
      refuseForProvided(updated, password);
      if (password !== undefined || changed.disabled) await createUsersStore(tx).raiseTokenVersion(username);
      // Records that the password changed, never the password.
      const details = { ...changed, ...(password !== undefined && { password_changed: true }) };
      await record(tx, caller, "user.updated", username, details);
      return toUserBody(updated);
    },

    /** Ends every token and every session of the caller. */
    async changePassword(tx: Tx, caller: Caller, password: string) {
      requireGoodPassword("new_password", caller.username, password);
      const password_hash = await passwords.hash(password);
      const updated = await createUsersWriter(tx).update(caller.username, { password_hash });
      if (!updated) throw notFound("user", caller.username);
      await createUsersStore(tx).raiseTokenVersion(caller.username);
      await record(tx, caller, "user.updated", caller.username, { password_changed: true });
      return { password_changed: true };
    },

    /** Lists the users who can be assignees, or those who no longer can. */
    async listDirectory(query: DirectoryQuery): Promise<Page<DirectoryUserBody>> {
      const page = await (await runtime.choose(stores)).listDirectory(query);
      const items = page.items.map(({ username, role, email, disabled }) => ({
        username,
        role,
        email,
        active: !disabled,
      }));
      return { ...page, items };
    },

    async delete(tx: Tx, caller: Caller, username: string) {
      if (username === caller.username) throw new Problem("conflict", "username: you cannot delete your own account");
      await refuseToLoseLastAdmin(tx, username);
      if (!(await createUsersWriter(tx).delete(username))) throw notFound("user", username);
      await record(tx, caller, "user.deleted", username, {});
      return { deleted: true, id: username };
    },
  };
}

export type FirstUserStore = Pick<UsersStore, "insertFirst" | "hasAdmin">;

/** Creates the first administrator if there is none. Returns whether it did. */
export async function createFirstAdmin(
  store: FirstUserStore,
  passwords: Pick<Passwords, "hash">,
  password: string,
): Promise<boolean> {
  // Check first: hashing is slow, and a start must not wait for an unnecessary hash.
  if (await store.hasAdmin()) return false;
  const password_hash = await passwords.hash(password);
  return store.insertFirst({ username: "admin", role: "admin", email: null, disabled: false, password_hash });
}

/** Whether an administrator of all sites loses this role or access by the change. */
function endsAdmin({ disabled, role, sites }: Partial<Pick<User, "disabled" | "role" | "sites">>): boolean {
  return Boolean(disabled || sites || (role !== undefined && role !== "admin"));
}

function toUserBody({ username, role, email, disabled, sites, created_at, updated_at }: User): UserBody {
  return {
    username,
    role,
    email,
    disabled,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    ...(sites && { sites: [...sites] }),
  };
}
