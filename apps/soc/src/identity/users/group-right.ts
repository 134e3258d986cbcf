import type { Role } from "../../foundation/caller/permissions.ts";

/**
 * The rights of the users in a provider's group: the role, and the sites that they work for. Without sites they work
 * for all.
 */
export interface GroupRight {
  group: string;
  role: Role;
  sites?: readonly string[];
}

/** The first right whose group is in the list applies; undefined if there is none. */
export function findRight(rights: readonly GroupRight[], groups: readonly unknown[]): GroupRight | undefined {
  const names = new Set(groups);
  return rights.find(({ group }) => names.has(group));
}
