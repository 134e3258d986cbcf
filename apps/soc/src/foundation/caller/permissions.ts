import { HOLDERS, type PERMISSIONS, type ROLES } from "./permissions.schema.ts";

export type Role = (typeof ROLES)[number];
export type Permission = (typeof PERMISSIONS)[number];

/**
 * What a route requires: nothing, any authenticated caller, an administrator, the token of a provider that manages users
 * (no caller has it), or all of the listed permissions.
 */
export type Needs = "public" | "authenticated" | "role:admin" | "scim" | readonly Permission[];

const HOLDERS_OF: ReadonlyMap<string, readonly Role[]> = new Map(Object.entries(HOLDERS));

export function isAllowed(role: Role, needs: Needs): boolean {
  if (needs === "public" || needs === "authenticated") return true;
  if (needs === "role:admin" || needs === "scim") return needs === "role:admin" && role === "admin";
  return needs.every((permission) => holds(role, permission));
}

export function holds(role: Role, permission: Permission): boolean {
  return HOLDERS_OF.get(permission)?.includes(role) ?? permission.endsWith(":read");
}
