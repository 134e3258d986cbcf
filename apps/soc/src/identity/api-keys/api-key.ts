import { createHash } from "node:crypto";
import type { SiteName } from "../../foundation/caller/caller.ts";
import { holds, type Permission, type Role } from "../../foundation/caller/permissions.ts";

export interface NewApiKey {
  id: string;
  name: string;
  /** The first characters of the key: enough to recognise it, not enough to use it. */
  prefix: string;
  key_hash: string;
  scopes: Permission[];
  created_by: string;
  /** The user responsible for the key. The key may do no more than this user, and ends with the user. */
  owner: string;
  expires_at: Date;
  /** The sites that the key is bound to; null for all sites of its owner. */
  sites: readonly SiteName[] | null;
}

export interface ApiKey extends NewApiKey {
  revoked: boolean;
  created_at: Date;
  /** Accurate to the minute. */
  last_used_at: Date | null;
}

/** The properties of the owner that limit the key. */
export interface KeyOwner {
  role: Role;
  disabled: boolean;
  sites: readonly SiteName[] | null;
}

/**
 * Returns the current permissions of the key: its scopes that the owner also holds. Undefined if the key has ended.
 */
export function findScopes(key: ApiKey, owner: KeyOwner | undefined, now: Date): Permission[] | undefined {
  if (key.revoked || key.expires_at <= now || !owner || owner.disabled) return undefined;
  return key.scopes.filter((scope) => holds(owner.role, scope));
}

/** Returns the sites of the key that its owner also has; null for all sites. */
export function findKeySites(key: Pick<ApiKey, "sites">, owner: Pick<KeyOwner, "sites">): readonly SiteName[] | null {
  if (key.sites === null || owner.sites === null) return key.sites ?? owner.sites;
  const held = new Set(owner.sites.map(({ id }) => id));
  return key.sites.filter(({ id }) => held.has(id));
}

const PREFIX_LENGTH = 12;

/** A key of 256 random bits needs no slow hash: a brute-force search is infeasible. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

export function formatKey(secret: Buffer): string {
  return `soc_${secret.toString("base64url")}`;
}

export function prefixOf(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}
