import { invalidField } from "@kit/problem";
import type { Role } from "./permissions.ts";

/** With whom a record is shared: with none, with all who may read such records, or with some roles of them. */
export interface Sharing {
  sharing_mode: "private" | "team" | "roles";
  shared_with_roles: Role[];
}

/** The named roles, each once. Throws when they do not fit the mode. */
export function checkSharing({ sharing_mode, shared_with_roles }: Sharing): Role[] {
  if (sharing_mode === "roles" && shared_with_roles.length === 0)
    throw invalidField("shared_with_roles", "must name a role when sharing_mode is roles");
  if (sharing_mode !== "roles" && shared_with_roles.length > 0)
    throw invalidField("shared_with_roles", `must be empty when sharing_mode is ${sharing_mode}`);
  return [...new Set(shared_with_roles)];
}

/** A change to another mode also clears the roles, so that the caller need not. */
export function patchSharing(current: Sharing, patch: { [field in keyof Sharing]?: Sharing[field] }): Sharing {
  const { sharing_mode = current.sharing_mode } = patch;
  const kept = sharing_mode === "roles" ? current.shared_with_roles : [];
  return { sharing_mode, shared_with_roles: patch.shared_with_roles ?? kept };
}
