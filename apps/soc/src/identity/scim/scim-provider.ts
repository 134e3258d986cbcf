import { timingSafeEqual } from "node:crypto";
import type { Role } from "../../foundation/caller/permissions.ts";
import { sha256 } from "../../foundation/records/digest.ts";
import type { GroupNames } from "./scim-group.ts";

/** A provider that manages its users here. */
export interface ScimProvider {
  id: string;
  /** The first entry that names a group of the user decides. */
  rights: readonly { group: string; role: Role }[];
  /** The SHA-256 of its token; undefined for a provider that manages no users. */
  scim_token_hash?: Uint8Array | undefined;
}

const BEARER = /^bearer +([^\s]{1,2000})$/i;

/** The provider whose token this is. Every token is compared, in constant time. */
export function findProvider<Provider extends ScimProvider>(
  providers: readonly Provider[],
  authorization: string | undefined,
): Provider | undefined {
  const [, token] = BEARER.exec(authorization ?? "") ?? [];
  if (token === undefined) return undefined;
  const hash = sha256(Buffer.from(token));
  const matching = providers.filter(({ scim_token_hash: known }) => known && timingSafeEqual(known, hash));
  return matching[0];
}

/** The role that the groups give; undefined for none. */
export function findRole({ rights }: ScimProvider, groups: readonly GroupNames[]): Role | undefined {
  const names = new Set(groups.flatMap(({ display_name, external_id }) => [display_name, external_id]));
  return rights.find(({ group }) => names.has(group))?.role;
}
