import "reflect-metadata";
import { createPublicKey, KeyObject, type webcrypto } from "node:crypto";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";
import { buildNameConstraints, NAME_CONSTRAINTS_OID } from "./name-constraints.ts";
import type { Pair } from "./pair.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

export interface Validity {
  serialNumber: string;
  notBefore: Date;
  notAfter: Date;
}

export interface AuthorityRequest {
  name: string;
  /** The device's host name, for which it may sign. */
  hostname: string;
  validity: Validity;
  /** The pair to renew: its key and name stay, so that who trusts it also trusts the new one. */
  former: Pair | undefined;
}

export interface ServerRequest {
  names: readonly string[];
  authority: Pair;
  validity: Validity;
  /** The pair to renew: its key stays. */
  former: Pair | undefined;
}

/** A root certificate that can sign for this device and the local network, and for nothing on the internet. */
export async function issueAuthority({ name, hostname, validity, former }: AuthorityRequest): Promise<Pair> {
  const keys = await openKeys(former);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: former ? new x509.X509Certificate(former.cert).subject : `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.Extension(NAME_CONSTRAINTS_OID, true, new Uint8Array(buildNameConstraints(hostname))),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return exportPair(keys, certificate);
}

export async function issueServer({ names, authority, validity, former }: ServerRequest): Promise<Pair> {
  const root = new x509.X509Certificate(authority.cert);
  const keys = await openKeys(former);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: "CN=Manara Player",
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority),
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

/** The keys of the former pair, or new ones. */
async function openKeys(former: Pair | undefined): Promise<webcrypto.CryptoKeyPair> {
  if (!former) return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const spki = new Uint8Array(createPublicKey(former.key).export({ type: "spki", format: "der" }));
  const publicKey = await crypto.subtle.importKey("spki", spki, ALGORITHM, true, ["verify"]);
  return { privateKey: await importKey(former), publicKey };
}

function importKey({ key }: Pair): Promise<webcrypto.CryptoKey> {
  return crypto.subtle.importKey("pkcs8", x509.PemConverter.decodeFirst(key), ALGORITHM, true, ["sign"]);
}

function toAlternativeName(name: string): x509.JsonGeneralName {
  return { type: isIP(name) ? "ip" : "dns", value: name };
}

function exportPair({ privateKey }: webcrypto.CryptoKeyPair, certificate: x509.X509Certificate): Pair {
  const key = KeyObject.from(privateKey).export({ type: "pkcs8", format: "pem" }).toString();
  return { key, cert: certificate.toString("pem") };
}
