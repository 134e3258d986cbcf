import { createHash } from "node:crypto";
import type { Permission } from "../../foundation/caller/permissions.ts";

export interface NewApiKey {
  id: string;
  name: string;
  /** The first characters of the key: enough to recognise it, not enough to use it. */
  prefix: string;
  key_hash: string;
  scopes: Permission[];
  created_by: string;
}

export interface ApiKey extends NewApiKey {
  revoked: boolean;
  created_at: Date;
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
