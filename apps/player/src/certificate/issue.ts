import "reflect-metadata";
import { KeyObject, type webcrypto } from "node:crypto";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";
import type { Pair } from "./pair.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

export interface Validity {
  serialNumber: string;
  notBefore: Date;
  notAfter: Date;
}

/** A root certificate that signs the device's own certificate and nothing else. */
export async function issueAuthority(name: string, validity: Validity): Promise<Pair> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return exportPair(keys, certificate);
}

export async function issueServer(names: readonly string[], authority: Pair, validity: Validity): Promise<Pair> {
  const root = new x509.X509Certificate(authority.cert);
  const pkcs8 = x509.PemConverter.decodeFirst(authority.key);
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: "CN=Manara Player",
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey: await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, false, ["sign"]),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names.map(toAlternativeName)),
      await x509.AuthorityKeyIdentifierExtension.create(root),
    ],
  });
  return exportPair(keys, certificate);
}

function toAlternativeName(name: string): x509.JsonGeneralName {
  return { type: isIP(name) ? "ip" : "dns", value: name };
}

function exportPair({ privateKey }: webcrypto.CryptoKeyPair, certificate: x509.X509Certificate): Pair {
  const key = KeyObject.from(privateKey).export({ type: "pkcs8", format: "pem" }).toString();
  return { key, cert: certificate.toString("pem") };
}
