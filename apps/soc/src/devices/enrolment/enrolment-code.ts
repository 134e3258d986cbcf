import { createHash } from "node:crypto";

export const CODE_BYTES = 16;
export const CODE_MS = 15 * 60_000;

/** In groups, so that a person can read it out: 0123-4567-89ab-cdef-0123-4567-89ab-cdef. */
export function formatCode(secret: Buffer): string {
  return (secret.toString("hex").match(/.{4}/g) ?? []).join("-");
}

/** The digest of a code; groups, spaces and case do not matter. */
export function hashCode(code: string): string {
  const digits = code.replaceAll(/[\s-]/g, "").toLowerCase();
  return createHash("sha256").update(digits).digest("hex");
}
