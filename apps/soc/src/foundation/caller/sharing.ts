import { invalidField } from "@kit/problem";
import type { Role } from "./permissions.ts";

/** Who may read a record: only its owner, everyone with the permission, or some of the roles with the permission. */
export interface SharingSettings {
  sharing_mode: "private" | "team" | "roles";
  /** Stored in every mode, but used only with `roles`. */
  shared_with_roles: Role[];
}

/** Returns the named roles without duplicates. */
export function checkSharing({ sharing_mode, shared_with_roles }: SharingSettings): Role[] {
  if (sharing_mode === "roles" && shared_with_roles.length === 0)
    throw invalidField("shared_with_roles", "must name a role if sharing_mode is roles");
  return [...new Set(shared_with_roles)];
}
