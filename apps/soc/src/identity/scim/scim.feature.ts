import type { Base, Registrations } from "../../foundation/base.ts";
import type { FindSites } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { ProvisionedUsersService } from "../users/provisioned-users.service.ts";
import { scimRoutes } from "./scim.routes.ts";
import { createScimService } from "./scim.service.ts";
import { createScimGroupsService } from "./scim-groups.service.ts";
import type { ScimProvider } from "./scim-provider.ts";
import { createScimRightsService } from "./scim-rights.service.ts";
import { createScimUsersService } from "./scim-users.service.ts";
import { createScimUsersStore } from "./scim-users.store.ts";

export interface ScimNeeds {
  signIn: { providers: readonly ScimProvider[] };
  publicUrl: string | undefined;
  provisioned: ProvisionedUsersService;
  findSites: FindSites;
}

/** The names by which a provider that manages its users knows their accounts. */
export const MANAGED_NAMES = {
  /** The account of the user who has this name at the provider now, even if the provider has deleted the user. */
  async findAccount(tx: Tx, provider: string, name: string): Promise<string | undefined> {
    return (await createScimUsersStore(tx, provider).findByUserName(name))?.username;
  },
  /** Whether a provider manages the account, under any name. */
  isManaged: (tx: Tx, provider: string, username: string): Promise<boolean> =>
    createScimUsersStore(tx, provider).isManaged(username),
};

export function createScim(base: Base, { signIn, publicUrl = "", findSites, provisioned: accounts }: ScimNeeds) {
  const baseUrl = `${publicUrl.replace(/\/$/, "")}/scim/v2`;
  const rights = createScimRightsService({ accounts, findSites });
  const deps = { ...base, accounts, rights, baseUrl };
  const scim = createScimService({ ...base, providers: signIn.providers });
  const [users, groups] = [createScimUsersService(deps), createScimGroupsService(deps)];
  return {
    services: {},
    registrations: { rootRoutes: [scimRoutes({ scim, users, groups, baseUrl })] } satisfies Registrations,
  };
}
