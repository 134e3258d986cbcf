import { createPrivateKey, generateKeyPair, sign, X509Certificate } from "node:crypto";
import { promisify } from "node:util";

/** Domain separation: data that the key signs for TLS or a certificate request never starts like this. */
const SIGNED_PREFIX = "manara-software-attestation-1\n";

/** A new private key, PEM. */
export async function createDeviceKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Signs a measurement: r and s of 32 bytes each, base64. */
export function signMeasurement(key: string, measurement: string): string {
  const bytes = Buffer.from(SIGNED_PREFIX + measurement);
  return sign("sha256", bytes, { key: createPrivateKey(key), dsaEncoding: "ieee-p1363" }).toString("base64");
}

/** Whether the certificate is of this key and of this authority. */
export function isIssuedFor(key: string, certificate: string, authority: string): boolean {
  try {
    const issued = new X509Certificate(certificate);
    return issued.checkPrivateKey(createPrivateKey(key)) && issued.verify(new X509Certificate(authority).publicKey);
  } catch {
    // One of the texts is not a certificate, or not a key.
    return false;
  }
}
