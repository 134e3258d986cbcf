import { isDeepStrictEqual } from "node:util";
import { Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { SiteName } from "../../foundation/caller/caller.ts";
import type { Role } from "../../foundation/caller/permissions.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { refuseToLoseLastAdmin } from "./last-admin.ts";
import { DUMMY_HASH } from "./passwords.ts";
import type { User } from "./user.ts";
import { createUsersStore, createUsersWriter } from "./users.store.ts";

export interface ProvisionedUsersServiceDeps {
  audit: Recorder;
  /** An administrator account that no provider may take over. */
  breakGlassUser: string | undefined;
}

/** The access of an account as the provider decides it. */
export interface Access {
  role: Role;
  disabled: boolean;
  email: string | null;
  /** The sites that the user works for; null for all. */
  sites: readonly SiteName[] | null;
}

export type ProvisionedUsersService = ReturnType<typeof createProvisionedUsersService>;

/** The role of an account without rights, which is disabled. */
const NO_RIGHTS: Role = "tier1";

/** The accounts that a provider creates and ends. */
export function createProvisionedUsersService({ audit, breakGlassUser }: ProvisionedUsersServiceDeps) {
  return {
    /** Returns a new account without access, or the one that a sign-in through the same provider created. */
    async adopt(tx: Tx, provider: string, username: string): Promise<{ account: User; isNew: boolean }> {
      const known = await createUsersStore(tx).find(username);
      const isForeign = known !== undefined && known.provider !== provider;
      if (isForeign || username.toLowerCase() === breakGlassUser?.toLowerCase()) throw taken(username);
      if (known) return { account: known, isNew: false };
      // The hash of an unknown password.
      const user = { username, role: NO_RIGHTS, email: null, disabled: true, password_hash: DUMMY_HASH };
      const created = await createUsersWriter(tx).insert(user, provider);
      if (!created) throw taken(username);
      return { account: created, isNew: true };
    },

    /** Locks the accounts until the transaction ends. */
    lock: (tx: Tx, usernames: readonly string[]): Promise<User[]> => createUsersWriter(tx).lock(usernames),

    async listEmails(tx: Tx, usernames: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
      if (usernames.length === 0) return new Map();
      const users = await createUsersStore(tx).findAll(usernames);
      return new Map(users.map(({ username, email }) => [username, email]));
    },

    /** Returns whether something changed. Lost access ends immediately: tokens, sessions, streams and keys. */
    async change(tx: Tx, provider: string, user: User, access: Access): Promise<boolean> {
      const { username } = user;
      const { role, disabled, email, sites } = access;
      const isSame = user.role === role && user.disabled === disabled && user.email === email;
      if (isSame && isDeepStrictEqual(user.sites, sites)) return false;
      const losesAdmin = user.role === "admin" && !user.disabled && (role !== "admin" || disabled || sites);
      if (losesAdmin) await refuseToLoseLastAdmin(tx, username);
      await createUsersWriter(tx).update(username, { role, disabled, email, sites });
      if (disabled && !user.disabled) await createUsersStore(tx).raiseTokenVersion(username);
      await audit.record(tx, {
        actor: `scim:${provider}`,
        action: "user.updated",
        subject_type: "user",
        subject_id: username,
        details: { role, disabled, email, ...(sites && { sites }), provider },
      });
      return true;
    },
  };
}

function taken(username: string): Problem {
  return new Problem("conflict", `userName: user '${username}' already exists and is not yours`, {
    code: "uniqueness",
    field: "userName",
  });
}
