import { HOLDERS, type PERMISSIONS, type ROLES } from "./permissions.schema.ts";

export type Role = (typeof ROLES)[number];
export type Permission = (typeof PERMISSIONS)[number];

/**
 * What a route requires: nothing, any authenticated caller, an administrator, the token of a user-provisioning provider
 * (no caller has it), or all of the listed permissions.
 */
export type Needs = "public" | "authenticated" | "role:admin" | "scim" | readonly Permission[];

export function isAllowed(role: Role, needs: Needs): boolean {
  if (needs === "public" || needs === "authenticated") return true;
  if (needs === "role:admin" || needs === "scim") return needs === "role:admin" && role === "admin";
  return needs.every((permission) => holds(role, permission));
}

export function holds(role: Role, permission: Permission): boolean {
  const holders: readonly Role[] = HOLDERS[permission];
  return holders.includes(role);
}
