import { invalidField } from "@kit/problem";
import type { Role } from "./permissions.ts";

/** With whom a record is shared: with none, with all who may read such records, or with some roles of them. */
export interface Sharing {
  sharing_mode: "private" | "team" | "roles";
  /** Kept in every mode. They matter with `roles` only. */
  shared_with_roles: Role[];
}

/** The named roles, each once. */
export function checkSharing({ sharing_mode, shared_with_roles }: Sharing): Role[] {
  if (sharing_mode === "roles" && shared_with_roles.length === 0)
    throw invalidField("shared_with_roles", "must name a role when sharing_mode is roles");
  return [...new Set(shared_with_roles)];
}
