import { HOLDERS, PERMISSIONS, ROLES } from "@soc/service/contract/foundation/caller/permissions";
import type { Role } from "../../../app/session/role-phrases.ts";
import type { Permission } from "../../../app/session/session.ts";

export interface RoleRow {
  permission: Permission;
  holders: readonly Role[];
}

export interface RoleGroup {
  /** What stands before the colon: `alerts`. */
  resource: string;
  rows: readonly RoleRow[];
}

const RESTRICTED: ReadonlyMap<string, readonly Role[]> = new Map(Object.entries(HOLDERS));

/** Which role holds which permission, as the service decides it. A permission without a line is a reading one: all hold it. */
export function listRoleGroups(): readonly RoleGroup[] {
  const resources = [...new Set(PERMISSIONS.map((permission) => permission.split(":")[0] ?? ""))];
  return resources.map((resource) => ({
    resource,
    rows: PERMISSIONS.filter((permission) => permission.startsWith(`${resource}:`)).map((permission) => ({
      permission,
      holders: RESTRICTED.get(permission) ?? ROLES,
    })),
  }));
}
