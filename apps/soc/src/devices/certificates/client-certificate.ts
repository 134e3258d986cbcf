import { createHash } from "node:crypto";
import { TLSSocket } from "node:tls";
import { Problem } from "@kit/problem";

/** The fingerprint of the certificate that the client proved to hold in the handshake, if our authority has signed it. */
export function findFingerprint(socket: unknown): string {
  const certificate = socket instanceof TLSSocket && socket.authorized ? socket.getPeerX509Certificate() : undefined;
  if (!certificate) {
    throw refuseCertificate();
  }
  return createHash("sha256").update(certificate.raw).digest("hex");
}

/** One answer for all reasons: a sender learns nothing about certificates that are not its own. */
export function refuseCertificate(): Problem {
  return new Problem("unauthenticated", "certificate: is missing, unknown, revoked or expired");
}
