import "reflect-metadata";
import { createPublicKey } from "node:crypto";
import * as x509 from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A certificate request, PEM. The platform uses only its public key. */
export async function createCertificateRequest(key: string): Promise<string> {
  const pkcs8 = x509.PemConverter.decodeFirst(key);
  const spki = new Uint8Array(createPublicKey(key).export({ type: "spki", format: "der" }));
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: "CN=Manara Player",
    keys: {
      privateKey: await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, false, ["sign"]),
      publicKey: await crypto.subtle.importKey("spki", spki, ALGORITHM, true, ["verify"]),
    },
    signingAlgorithm: ALGORITHM,
  });
  return `${request.toString("pem")}\n`;
}
