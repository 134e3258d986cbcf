import { createHash } from "node:crypto";
import { TLSSocket } from "node:tls";
import { Problem } from "@kit/problem";

/**
 * Returns the fingerprint of the certificate that the client proved to hold in the handshake, if our authority signed
 * it.
 */
export function findFingerprint(socket: unknown): string {
  const certificate = socket instanceof TLSSocket && socket.authorized ? socket.getPeerX509Certificate() : undefined;
  if (!certificate) {
    throw refuseCertificate();
  }
  return createHash("sha256").update(certificate.raw).digest("hex");
}

/** The answer is the same for all reasons, so that a sender learns nothing about other certificates. */
export function refuseCertificate(): Problem {
  return new Problem("unauthenticated", "certificate: is missing, unknown, revoked or expired");
}
