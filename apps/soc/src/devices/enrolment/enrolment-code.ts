import { createHash } from "node:crypto";

export const CODE_BYTES = 16;
export const CODE_MS = 15 * 60_000;

/** Formats the code in groups that a person can read aloud: 0123-4567-89ab-cdef-0123-4567-89ab-cdef. */
export function formatCode(secret: Buffer): string {
  return (secret.toString("hex").match(/.{4}/g) ?? []).join("-");
}

/** Hashes a code, ignoring groups, spaces and case. */
export function hashCode(code: string): string {
  const digits = code.replaceAll(/[\s-]/g, "").toLowerCase();
  return createHash("sha256").update(digits).digest("hex");
}
