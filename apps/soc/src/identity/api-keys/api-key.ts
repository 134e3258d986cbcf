import { createHash } from "node:crypto";
import { holds, type Permission, type Role } from "../../foundation/caller/permissions.ts";
import type { SiteName } from "../../foundation/caller/scope.ts";

export interface NewApiKey {
  id: string;
  name: string;
  /** The first characters of the key: enough to recognise it, not enough to use it. */
  prefix: string;
  key_hash: string;
  scopes: Permission[];
  created_by: string;
  /** The user who answers for the key; it may do no more than this user, and ends with the user. */
  owner: string;
  expires_at: Date;
  /** The sites that the key is bound to; null for all that its owner works for. */
  sites: readonly SiteName[] | null;
}

export interface ApiKey extends NewApiKey {
  revoked: boolean;
  created_at: Date;
  /** To the minute. */
  last_used_at: Date | null;
}

/** The owner as the key needs it. */
export interface KeyOwner {
  role: Role;
  disabled: boolean;
  sites: readonly SiteName[] | null;
}

/** What the key may do now: its scopes without those that its owner does not hold. Undefined when it has ended. */
export function findScopes(key: ApiKey, owner: KeyOwner | undefined, now: Date): Permission[] | undefined {
  if (key.revoked || key.expires_at <= now || !owner || owner.disabled) return undefined;
  return key.scopes.filter((scope) => holds(owner.role, scope));
}

/** The sites of the key that its owner works for, too; null for all sites. */
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
