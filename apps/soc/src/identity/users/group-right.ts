import type { Role } from "../../foundation/caller/permissions.ts";

/** What the users of a provider's group may do: the role, and the sites that they work for; all of them without sites. */
export interface GroupRight {
  group: string;
  role: Role;
  sites?: readonly string[];
}

/** The first right whose group is one of these decides; undefined for no right. */
export function findRight(rights: readonly GroupRight[], groups: readonly unknown[]): GroupRight | undefined {
  const names = new Set(groups);
  return rights.find(({ group }) => names.has(group));
}
