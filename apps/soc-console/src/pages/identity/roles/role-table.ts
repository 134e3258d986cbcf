import { HOLDERS, PERMISSIONS } from "@soc/service/contract/foundation/caller/permissions";
import type { Role } from "../../../app/session/role-phrases.ts";
import type { Permission } from "../../../app/session/session.ts";

export interface RoleRow {
  permission: Permission;
  holders: readonly Role[];
}

export interface RoleGroup {
  /** The text before the colon: `alerts`. */
  resource: string;
  rows: readonly RoleRow[];
}

/** Which role has which permission, as the service decides. */
export function listRoleGroups(): readonly RoleGroup[] {
  const resources = [...new Set(PERMISSIONS.map((permission) => permission.split(":")[0] ?? ""))];
  return resources.map((resource) => ({
    resource,
    rows: PERMISSIONS.filter((permission) => permission.startsWith(`${resource}:`)).map((permission) => ({
      permission,
      holders: HOLDERS[permission],
    })),
  }));
}
