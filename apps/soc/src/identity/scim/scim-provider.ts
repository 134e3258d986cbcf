import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../../foundation/records/digest.ts";
import type { GroupRight } from "../users/group-right.ts";

/** A provider that manages its users here. */
export interface ScimProvider {
  id: string;
  /** The first entry that names a group of the user applies. */
  rights: readonly GroupRight[];
  /** The SHA-256 of its token; undefined for a provider that manages no users. */
  scim_token_hash?: Uint8Array | undefined;
}

const BEARER = /^bearer +([^\s]{1,2000})$/i;

/** Finds the provider of this token. Compares every token, in constant time. */
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
