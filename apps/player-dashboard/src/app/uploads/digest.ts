import type { Digest } from "./fingerprint.ts";

/** The browser computes digests only for a page that came over HTTPS. */
export function readDigest(): Digest {
  return isSecureContext ? (bytes) => crypto.subtle.digest("SHA-256", bytes) : undefined;
}
