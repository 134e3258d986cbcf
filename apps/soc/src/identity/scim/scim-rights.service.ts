import type { FindSites } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { findRight } from "../users/group-right.ts";
import type { ProvisionedUsersService } from "../users/provisioned-users.service.ts";
import type { User } from "../users/user.ts";
import type { GroupNames } from "./scim-group.ts";
import { createScimGroupsStore } from "./scim-groups.store.ts";
import type { ScimProvider } from "./scim-provider.ts";
import type { ScimUser } from "./scim-user.ts";
import { createScimUsersStore, createScimUsersWriter } from "./scim-users.store.ts";

export interface ScimRightsServiceDeps {
  accounts: Pick<ProvisionedUsersService, "lock" | "change">;
  findSites: FindSites;
}

export type ScimRightsService = ReturnType<typeof createScimRightsService>;

/** Gives accounts the access that follows from the current data of their provider. */
export function createScimRightsService({ accounts, findSites }: ScimRightsServiceDeps) {
  async function refreshUser(tx: Tx, provider: ScimProvider, user: ScimUser, account: User, groups: GroupNames[]) {
    const names = groups.flatMap(({ display_name, external_id }) => [display_name, external_id]);
    const right = findRight(provider.rights, names);
    const is_barred = !user.active || user.deleted_at !== null || right === undefined;
    // The provider has granted access, but the account has none: a local administrator disabled it.
    const is_held = account.disabled && (user.is_held || !user.is_barred);
    if (is_barred !== user.is_barred || is_held !== user.is_held) {
      await createScimUsersWriter(tx, provider.id).update(user.id, { is_barred, is_held });
    }
    const disabled = is_barred || is_held;
    await accounts.change(tx, provider.id, account, {
      role: right?.role ?? account.role,
      disabled,
      email: account.email,
      // A configured site that does not exist grants nothing.
      sites: right?.sites ? await findSites(tx, right.sites) : null,
    });
  }

  return {
    /** For every user whom a change affects, in the transaction of that change. */
    async refresh(tx: Tx, provider: ScimProvider, userIds: readonly string[]): Promise<void> {
      const users = await createScimUsersStore(tx, provider.id).findAll(userIds);
      const locked = await accounts.lock(
        tx,
        users.map(({ username }) => username),
      );
      const accountsByName = new Map(locked.map((account) => [account.username, account]));
      const named = provider.rights.map(({ group }) => group);
      const listed = await createScimGroupsStore(tx, provider.id).listGroupsOf(userIds, named);
      const groupsByUser = new Map<string, GroupNames[]>(users.map(({ id }) => [id, []]));
      for (const { user_id, ...group } of listed) groupsByUser.get(user_id)?.push(group);
      for (const user of users) {
        const account = accountsByName.get(user.username);
        if (account) await refreshUser(tx, provider, user, account, groupsByUser.get(user.id) ?? []);
      }
    },
  };
}
